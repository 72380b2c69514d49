import { area, box, disc, line, shape } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** A bridge of arches, its river and one small boat. */
export function bridge({ width, height, colors, random }: Sheet): string {
  const [deck, water] = [height * 0.4, height * 0.72];
  const arches = random.whole(3, 4);
  const span = width / arches;
  const parts = [
    box(0, 0, width, height, colors.paper),
    disc(width * random.between(0.2, 0.8), height * 0.22, height * 0.12, colors.warm),
    box(0, water, width, height - water, colors.soft),
    box(0, deck - 16, width, 22, colors.ink),
  ];
  for (let arch = 0; arch < arches; arch++) {
    const [left, right] = [arch * span, (arch + 1) * span];
    const r = span * 0.42;
    const hollow = `M${left + span / 2 - r} ${water}v-30a${r} ${r * 0.82} 0 0 1 ${2 * r} 0v30Z`;
    const wall = `M${left} ${deck}H${right}V${water}H${left}Z`;
    parts.push(shape('path', { d: wall + hollow, fill: colors.strong, 'fill-rule': 'evenodd' }));
    for (let post = 0; post < 6; post++)
      parts.push(box(left + (post + 0.5) * (span / 6), deck - 38, 5, 24, colors.ink));
  }
  parts.push(box(0, deck - 42, width, 7, colors.ink));
  for (let wave = 0; wave < 16; wave++) {
    const [x, y] = [random.between(-40, width), random.between(water + 14, height - 10)];
    parts.push(line(x, y, x + random.between(40, 150), y, random.pick([colors.paper, colors.ink]), 3));
  }
  const [x, y] = [width * random.between(0.3, 0.6), height * 0.84];
  parts.push(
    area(
      [
        [x - 62, y - 12],
        [x + 62, y - 12],
        [x + 42, y + 16],
        [x - 44, y + 16],
      ],
      colors.ink,
    ),
  );
  parts.push(box(x - 24, y - 38, 46, 27, colors.warm), box(x + 2, y - 60, 10, 24, colors.ink));
  return parts.join('');
}
