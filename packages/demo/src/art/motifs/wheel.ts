import { box, disc, line, ring } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** A bicycle wheel, larger than the sheet, and its neighbour. */
export function wheel({ width, height, colors, random }: Sheet): string {
  const ground = height * 0.88;
  const radius = height * random.between(0.4, 0.5);
  const first = width * random.between(0.3, 0.42);
  const parts = [
    box(0, 0, width, height, random.pick([colors.warm, colors.paper, colors.soft])),
    disc(width * 0.82, height * 0.26, height * 0.15, colors.strong),
    box(0, ground, width, height - ground, colors.ink),
  ];
  for (const cx of [first, first + radius * 2.5]) parts.push(spoked(cx, ground - radius, radius));
  return parts.join('');

  function spoked(cx: number, cy: number, r: number): string {
    const turn = random.between(0, Math.PI);
    const spokes: string[] = [];
    for (let spoke = 0; spoke < 36; spoke++) {
      // Spokes leave the hub at a tangent, every second one the other way.
      const at = (spoke / 36) * 2 * Math.PI + turn;
      const hub = at + (spoke % 2 ? 1.2 : -1.2);
      const [x, y] = [cx + Math.cos(hub) * r * 0.07, cy + Math.sin(hub) * r * 0.07];
      spokes.push(line(x, y, cx + Math.cos(at) * r * 0.9, cy + Math.sin(at) * r * 0.9, colors.ink, 1.6));
    }
    return [
      ...spokes,
      ring(cx, cy, r * 0.96, colors.ink, r * 0.08),
      ring(cx, cy, r * 0.885, colors.strong, r * 0.03),
      disc(cx, cy, r * 0.09, colors.ink),
      disc(cx, cy, r * 0.035, colors.paper),
    ].join('');
  }
}
