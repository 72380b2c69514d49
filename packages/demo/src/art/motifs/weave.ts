import { box } from '../draw.ts';
import type { Sheet } from '../sheet.ts';

/** Strips over and under, as in a chair seat. */
export function weave({ width, height, colors, random }: Sheet): string {
  const pitch = height / random.pick([7, 8, 9]);
  const strip = pitch * 0.82;
  const across = [colors.strong, colors.strong, colors.warm] as const;
  const along = [colors.paper, colors.soft, colors.paper, colors.paper] as const;
  const parts = [box(0, 0, width, height, colors.ink)];
  const columns = Math.ceil(width / pitch);
  const rows = Math.ceil(height / pitch);
  for (let row = 0; row < rows; row++) parts.push(box(0, row * pitch, width, strip, across[row % 3] ?? colors.strong));
  for (let column = 0; column < columns; column++) {
    const fill = along[column % 4] ?? colors.paper;
    for (let row = 0; row < rows; row++) {
      // A twill: each strip goes over two and under one, a step further in every column.
      if ((row + column) % 3 === 0) continue;
      parts.push(box(column * pitch - 3, row * pitch - pitch * 0.1, strip + 6, pitch * 1.02, `${colors.ink}55`));
      parts.push(box(column * pitch, row * pitch - pitch * 0.12, strip, pitch * 1.06, fill));
    }
  }
  return parts.join('');
}
