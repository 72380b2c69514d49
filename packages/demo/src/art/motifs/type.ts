import { box, shape } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** Wood type, set too large for the sheet. */
export function letters({ width, height, colors, random }: Sheet): string {
  const cut = width * random.pick([0.36, 0.5, 0.62]);
  const grounds = random.pick([
    [colors.strong, colors.paper, colors.ink],
    [colors.ink, colors.warm, colors.strong],
    [colors.paper, colors.strong, colors.warm],
  ]);
  const [left, right, low] = grounds as [string, string, string];
  const split = height * random.between(0.5, 0.66);
  const over = (ground: string): string => (ground === colors.ink ? colors.paper : colors.ink);
  const glyph = random.pick(['&', 'g', 'R', 'Q', '&', 'a']);
  return [
    box(0, 0, width, height, left),
    set(glyph, cut * 0.5, height * 0.8, height * random.between(1, 1.16), over(left)),
    box(cut, 0, width - cut, split, right),
    shape(
      'svg',
      frame(cut, 0, width - cut, split),
      set(random.pick(['k', 'S', 'B', 'e']), (width - cut) / 2, split * 0.86, split * 1.1, over(right)),
    ),
    box(cut, split, width - cut, height - split, low),
    shape(
      'svg',
      frame(cut, split, width - cut, height - split),
      set(
        random.pick(['Aa', 'No.', 'ff', 'fi']),
        (width - cut) / 2,
        (height - split) * 0.84,
        (height - split) * 0.95,
        over(low),
      ),
    ),
  ].join('');
}

/** A nested sheet: what is drawn in it is cut at its edge. */
const frame = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

function set(text: string, x: number, y: number, size: number, fill: string): string {
  const face = "Didot, 'Bodoni MT', 'Iowan Old Style', 'Palatino Linotype', Palatino, P052, Georgia, serif";
  const look = { 'font-family': face, 'font-weight': 700, 'font-size': size, 'text-anchor': 'middle' };
  return shape('text', { x, y, fill, ...look }, text.replace('&', '&amp;'));
}
