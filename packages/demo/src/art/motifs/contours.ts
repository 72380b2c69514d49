import { box, disc, shape } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** The heights of a country that does not exist. */
export function contours({ width, height, colors, random }: Sheet): string {
  const parts = [box(0, 0, width, height, random.pick([colors.paper, colors.soft]))];
  const summits = [
    [width * random.between(0.22, 0.38), height * random.between(0.35, 0.7), 0.62],
    [width * random.between(0.66, 0.82), height * random.between(0.25, 0.6), 0.5],
  ] as const;
  for (const [cx, cy, share] of summits) {
    const waves = [2, 3, 5].map((n) => [n, random.between(0.03, 0.11), random.between(0, 6)] as const);
    for (let level = 9; level >= 0; level--) {
      const r = height * share * ((level + 0.6) / 10);
      const shore = level === 9 ? colors.warm : level === 4 ? colors.strong : 'none';
      const look = {
        fill: shore,
        'stroke-width': level % 3 ? 1.8 : 3.2,
        stroke: level === 4 ? colors.paper : colors.ink,
      };
      parts.push(shape('path', { d: loop(cx, cy, r, waves), 'stroke-opacity': 0.75, ...look }));
    }
    parts.push(disc(cx, cy, 7, colors.paper));
  }
  return parts.join('');
}

type Wave = readonly [count: number, depth: number, shift: number];

function loop(cx: number, cy: number, radius: number, waves: readonly Wave[]): string {
  const points: string[] = [];
  for (let step = 0; step < 72; step++) {
    const at = (step / 72) * 2 * Math.PI;
    const bend = waves.reduce((sum, [n, depth, shift]) => sum + depth * Math.sin(at * n + shift), 1);
    points.push(
      `${(cx + Math.cos(at) * radius * bend * 1.25).toFixed(1)} ${(cy + Math.sin(at) * radius * bend).toFixed(1)}`,
    );
  }
  return `M${points.join('L')}Z`;
}
