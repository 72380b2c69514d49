import { bridge } from './motifs/bridge.ts';
import { contours } from './motifs/contours.ts';
import { halftone } from './motifs/halftone.ts';
import { hills } from './motifs/hills.ts';
import { rain } from './motifs/rain.ts';
import { skyline } from './motifs/skyline.ts';
import { tiles } from './motifs/tiles.ts';
import { letters } from './motifs/type.ts';
import { weave } from './motifs/weave.ts';
import { wheel } from './motifs/wheel.ts';
import type { Sheet } from './sheet.ts';

/** A way to fill a sheet: returns SVG elements. */
type Motif = (sheet: Sheet) => string;

/** Every motif there is. */
export const MOTIFS = {
  bridge,
  contours,
  halftone,
  hills,
  letters,
  rain,
  skyline,
  tiles,
  weave,
  wheel,
} as const satisfies Readonly<Record<string, Motif>>;

export type MotifName = keyof typeof MOTIFS;

/** Their names; never empty. */
export const MOTIF_NAMES = Object.keys(MOTIFS) as [MotifName, ...MotifName[]];
