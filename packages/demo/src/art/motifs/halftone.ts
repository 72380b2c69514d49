import { box, disc } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** A sun over water, seen through the printer's screen. */
export function halftone({ width, height, colors, random }: Sheet): string {
  const pitch = height / 34;
  const [x0, y0, radius] = [width * random.between(0.3, 0.7), height * random.between(0.36, 0.46), height * 0.3];
  const parts = [
    box(0, 0, width, height, random.pick([colors.warm, colors.paper])),
    disc(x0, y0, radius, colors.strong),
  ];
  const shift = random.between(0, 6);
  for (let row = 0; row <= 35; row++) {
    for (let column = 0; column * pitch < width + pitch; column++) {
      const x = (column + (row % 2) / 2) * pitch;
      const y = row * pitch;
      const dark = Math.min(0.74, shade(x, y));
      if (dark > 0.12) parts.push(disc(x, y, pitch * dark, colors.ink));
    }
  }
  return parts.join('');

  function shade(x: number, y: number): number {
    const shore = height * (0.68 + 0.03 * Math.sin((x / width) * 7 + shift));
    if (y > shore) return 0.34 + 0.36 * Math.sin((y - shore) / (pitch * 1.9)) ** 2;
    const out = Math.hypot(x - x0, y - y0) / radius;
    // Inside the sun the dots grow towards its foot, outside they fade towards the top.
    return out < 1 ? Math.max(0, (y - y0) / radius) * 0.5 : (1 - (y / height) * 1.1) * 0.42;
  }
}
