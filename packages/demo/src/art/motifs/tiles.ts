import { box, disc, shape } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** Quarter circles, laid like floor tiles. */
export function tiles({ width, height, colors, random }: Sheet): string {
  const side = height / random.pick([4, 5]);
  const inks = [colors.ink, colors.strong, colors.warm, colors.soft, colors.paper] as const;
  const parts: string[] = [];
  for (let x = 0; x < width; x += side) {
    for (let y = 0; y < height - 1; y += side) {
      const ground = random.pick([...inks]);
      const [first, second] = inks.filter((ink) => ink !== ground);
      parts.push(box(x, y, side + 0.5, side + 0.5, ground));
      const corner = random.whole(0, 5);
      if (corner > 3) parts.push(disc(x + side / 2, y + side / 2, side * 0.3, first ?? colors.ink));
      else
        parts.push(quarter(x, y, corner, side, first ?? colors.ink), quarter(x, y, corner, side / 2, second ?? ground));
    }
  }
  return parts.join('');

  function quarter(x: number, y: number, corner: number, r: number, fill: string): string {
    const right = corner % 2;
    const low = corner > 1 ? 1 : 0;
    const [cx, cy] = [x + right * side, y + low * side];
    const [dx, dy] = [right ? -r : r, low ? -r : r];
    const sweep = right === low ? 1 : 0;
    return shape('path', { d: `M${cx} ${cy}L${cx + dx} ${cy}A${r} ${r} 0 0 ${sweep} ${cx} ${cy + dy}Z`, fill });
  }
}
