import { picture } from './draw.ts';
import { MOTIF_NAMES, MOTIFS, type MotifName } from './motif.ts';
import { PALETTES } from './palette.ts';
import { seeded } from './seeded.ts';

/** Width and height of every picture of the demo. */
const [WIDTH, HEIGHT] = [960, 640];

/**
 * The picture for a word: always the same for one word, and rarely alike for two. Returns an SVG document.
 *
 * @param motif What to draw it with; the word decides when it is left out.
 */
export function cover(word: string, motif?: MotifName): string {
  const random = seeded(word);
  const colors = random.pick(PALETTES);
  const draw = MOTIFS[motif ?? random.pick(MOTIF_NAMES)];
  return picture(WIDTH, HEIGHT, draw({ width: WIDTH, height: HEIGHT, colors, random }));
}
