import { area, box, disc } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** A low sun behind ridges, one behind the other. */
export function hills({ width, height, colors, random }: Sheet): string {
  const x = width * random.between(0.25, 0.75);
  const radius = height * random.between(0.16, 0.24);
  const parts = [
    box(0, 0, width, height, colors.paper),
    disc(x, height * 0.4, radius * 1.7, `${colors.warm}40`),
    disc(x, height * 0.4, radius, colors.strong),
  ];
  const fills = [colors.soft, colors.warm, colors.strong, colors.ink];
  fills.forEach((fill, index) => {
    const base = height * (0.5 + index * 0.13);
    const tall = height * (0.1 - index * 0.012);
    const [slow, fast, shift] = [random.between(1.5, 3), random.between(4, 7), random.between(0, 6)];
    const ridge: [number, number][] = [[0, height]];
    for (let step = 0; step <= 48; step++) {
      const at = (step / 48) * Math.PI;
      ridge.push([(width * step) / 48, base - tall * (Math.sin(at * slow + shift) + 0.35 * Math.sin(at * fast))]);
    }
    parts.push(area([...ridge, [width, height]], fill));
  });
  return parts.join('');
}
