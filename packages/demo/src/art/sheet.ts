import type { Palette } from './palette.ts';
import type { Seeded } from './seeded.ts';

/** What a picture is drawn with. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly colors: Palette;
  readonly random: Seeded;
}
