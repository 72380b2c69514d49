import { area, box, disc } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** Roofs at night, a few windows still lit. */
export function skyline({ width, height, colors, random }: Sheet): string {
  const moon = width * random.between(0.2, 0.8);
  const parts = [
    box(0, 0, width, height, colors.strong),
    disc(moon, height * 0.27, height * 0.13, colors.paper),
    disc(moon + height * 0.045, height * 0.25, height * 0.115, colors.strong),
  ];
  for (const [fill, low, high, lit] of [
    [colors.soft, 0.42, 0.58, 0],
    [colors.warm, 0.5, 0.72, 0],
    [colors.ink, 0.6, 0.84, 0.42],
  ] as const) {
    let x = -random.between(0, 40);
    while (x < width) {
      const wide = random.between(54, 128);
      const top = height * random.between(low, high);
      parts.push(box(x, top, wide + 1, height - top, fill));
      if (random.chance(0.45)) {
        const peak = top - wide * 0.42;
        parts.push(
          area(
            [
              [x, top + 1],
              [x + wide / 2, peak],
              [x + wide + 1, top + 1],
            ],
            fill,
          ),
        );
      } else if (random.chance(0.5)) parts.push(box(x + wide * 0.68, top - 26, 15, 27, fill));
      if (lit > 0) parts.push(windows(x, top, wide, lit));
      x += wide;
    }
  }
  return parts.join('');

  function windows(left: number, top: number, wide: number, lit: number): string {
    const columns = Math.floor((wide - 20) / 22);
    const margin = (wide - columns * 22 + 10) / 2;
    const panes: string[] = [];
    for (let y = top + 20; y < height - 24; y += 34) {
      for (let column = 0; column < columns; column++) {
        if (random.chance(lit)) panes.push(box(left + margin + column * 22, y, 12, 18, colors.warm));
      }
    }
    return panes.join('');
  }
}
