/** Five inks on one paper. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly strong: string;
  readonly warm: string;
  readonly soft: string;
}

/** What the press has in its tins. */
export const PALETTES: readonly [Palette, ...Palette[]] = [
  { paper: '#efe6d2', ink: '#1d2a33', strong: '#c4452f', warm: '#e0a33e', soft: '#8fa9a3' },
  { paper: '#e6e4da', ink: '#20243a', strong: '#3b5b92', warm: '#e4b68a', soft: '#a9b7c9' },
  { paper: '#f1e3cf', ink: '#2d211c', strong: '#b5532a', warm: '#e8b04a', soft: '#c9a58a' },
  { paper: '#e3e7dc', ink: '#1c2d28', strong: '#2f6f5e', warm: '#d9a441', soft: '#a3bfa9' },
  { paper: '#f0e0d8', ink: '#2a1c2b', strong: '#8f2f4d', warm: '#e39a6b', soft: '#c8a6ae' },
  { paper: '#e9e5dd', ink: '#1e2124', strong: '#d0452b', warm: '#c9b48c', soft: '#b4b3ab' },
];
