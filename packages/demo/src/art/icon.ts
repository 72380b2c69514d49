import { box, picture, shape } from './draw.ts';

/** The sign of the demo in the browser's tab: a folded page with its title. */
export function icon(): string {
  const [paper, ink, red] = ['#faf6ec', '#1b1a17', '#a8321f'];
  const lines = [34, 42, 50].map((y) => box(14, y, 17, 3, ink) + box(34, y, 16, 3, ink));
  return picture(
    64,
    64,
    shape('rect', { x: 6, y: 6, width: 52, height: 52, rx: 6, fill: paper, stroke: ink, 'stroke-width': 3 }),
    box(14, 15, 36, 9, red),
    box(14, 27, 36, 2, ink),
    ...lines,
  );
}
