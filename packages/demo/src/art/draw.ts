/** Attributes of an SVG element; numbers are rounded to a tenth, which the eye does not miss. */
type Attributes = Readonly<Record<string, string | number>>;

/** One SVG element. Presentation attributes only: no style that a content policy could refuse. */
export function shape(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  const start = `<${name}${list.join('')}`;
  return children.length > 0 ? `${start}>${children.join('')}</${name}>` : `${start}/>`;
}

export const box = (x: number, y: number, width: number, height: number, fill: string): string =>
  shape('rect', { x, y, width, height, fill });

export const disc = (cx: number, cy: number, r: number, fill: string): string => shape('circle', { cx, cy, r, fill });

export const ring = (cx: number, cy: number, r: number, stroke: string, width: number): string =>
  shape('circle', { cx, cy, r, fill: 'none', stroke, 'stroke-width': width });

export const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): string =>
  shape('line', { x1, y1, x2, y2, stroke, 'stroke-width': width, 'stroke-linecap': 'round' });

/** A closed area with straight edges. */
export const area = (points: readonly (readonly [x: number, y: number])[], fill: string): string =>
  shape('path', { d: `M${points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join('L')}Z`, fill });

/** A whole picture. */
export const picture = (width: number, height: number, ...children: readonly string[]): string =>
  shape('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height }, ...children);

function rounded(value: string | number): string | number {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value;
}
