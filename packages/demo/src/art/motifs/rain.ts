import { box, disc, line, shape } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** Slanting rain over a pond. */
export function rain({ width, height, colors, random }: Sheet): string {
  const water = height * 0.74;
  const lean = random.between(0.18, 0.34);
  const parts = [
    box(0, 0, width, height, colors.soft),
    disc(width * random.between(0.6, 0.78), height * 0.34, height * 0.22, colors.paper),
    box(0, water, width, height - water, colors.ink),
  ];
  for (let column = -4; column < 34; column++) {
    let y = random.between(-60, 40);
    while (y < water - 70) {
      const long = random.between(26, 92);
      const x = (column / 30) * width + random.between(-6, 6) - y * lean + height * lean * 0.6;
      const color = random.pick([colors.ink, colors.ink, colors.paper, colors.strong]);
      parts.push(line(x, y, x - long * lean, y + long, color, random.pick([2, 3, 5])));
      y += long + random.between(30, 90);
    }
  }
  for (let drop = 0; drop < 9; drop++) {
    const [cx, cy] = [random.between(0, width), random.between(water + 18, height - 12)];
    const rx = random.between(26, 70);
    for (const part of [1, 0.55]) {
      const look = { fill: 'none', stroke: drop % 3 ? colors.soft : colors.warm, 'stroke-width': 2.5 };
      parts.push(shape('ellipse', { cx, cy, rx: rx * part, ry: rx * part * 0.2, ...look }));
    }
  }
  return parts.join('');
}
