import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { live } from './live.ts';

/** The data of a chart: a value for each day or hour so far, and values for comparison, such as earlier ones. */
export interface ChartData {
  readonly names: readonly string[];
  readonly values: readonly number[];
  readonly before: readonly number[];
  /** The text for a day or hour under the pointer, by its index. */
  readonly textOf: (index: number) => string;
  /** Writes some values beside the line, for readers without a pointer. */
  readonly print?: (value: number) => string;
  /** Formats a value for an axis, where there is little room. */
  readonly writeShort: (value: number) => string;
  /** The lower bound for the maximum of the axis, so that small values do not look large. */
  readonly least: number;
  /** The index of the day or hour that is not over yet; -1 if there is none. */
  readonly current: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly class: string;
}

/** Rendered in two sizes, because the text of an SVG is scaled with it. The style sheet shows the one that fits. */
const NARROW: Size = { width: 400, height: 240, class: 'chart-narrow' };
const SIZES: readonly Size[] = [{ width: 1120, height: 300, class: 'chart-wide' }, NARROW];
const PRINTED: readonly Size[] = [{ width: 864, height: 220, class: 'chart-wide' }, NARROW];
const MARGIN = { top: 28, right: 12, bottom: 28, left: 48 };

/** A line for the period, and a dashed one for the previous period. CSS shows the values under the pointer. */
export function Chart({ data }: { data: ChartData }) {
  return (
    <div class="chart">
      {(data.print ? PRINTED : SIZES).map((size) => (
        <Drawing data={data} size={size} />
      ))}
    </div>
  );
}

function Drawing({ data, size }: { data: ChartData; size: Size }) {
  const { names, values, textOf, print, writeShort } = data;
  const { x, y } = scalesOf(data, size);
  const { now, current, before, filled } = linesOf(data, size);
  const bottom = size.height - MARGIN.bottom;
  const step = tenths(x(1) - x(0));
  const every = Math.ceil(names.length / (size.width > 600 ? 10 : 5));
  return (
    <svg class={size.class} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true" focusable="false">
      {y.ticks(4).map((tick) => (
        <g class="grid">
          <line x1={MARGIN.left} x2={size.width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text x={MARGIN.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">
            {writeShort(tick)}
          </text>
        </g>
      ))}
      {names.map((name, index) =>
        index % every === 0 ? (
          <text class="tick" x={tenths(x(index))} y={size.height - 8} text-anchor="middle">
            {name}
          </text>
        ) : null,
      )}
      <path class="filled" d={filled} {...live(`${size.class}-filled`, filled)} />
      <path class="before" d={before} {...live(`${size.class}-before`, before)} />
      <path class="now" d={now} {...live(`${size.class}-now`, now)} />
      <path class="current" d={current} {...live(`${size.class}-current`, current)} />
      {print &&
        values.map((value, index) =>
          index % every === 0 ? (
            <text class="value" x={tenths(x(index))} y={tenths(y(value) - 8)} text-anchor="middle">
              {print(value)}
            </text>
          ) : null,
        )}
      {names.map((_, index) => (
        <g class="day">
          <rect x={tenths(x(index) - step / 2)} y={MARGIN.top} width={step} height={bottom - MARGIN.top} />
          <text x={MARGIN.left} y={MARGIN.top - 10}>
            {textOf(index)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** More digits would make the page larger, but not the chart more exact. */
const tenths = (value: number): number => Math.round(value * 10) / 10;

/** The horizontal scale, by the index of a day or hour, and the vertical one. A single day is in the middle. */
function scalesOf({ names, values, before, least }: ChartData, { width, height }: Size) {
  const bounds = names.length === 1 ? [-1, 1] : [0, names.length - 1];
  const x = scaleLinear(bounds, [MARGIN.left + 12, width - MARGIN.right - 12]);
  const most = Math.max(...values, ...before);
  const y = scaleLinear([0, Math.max(most, least)], [height - MARGIN.bottom, MARGIN.top]).nice(4);
  return { x, y };
}

/** The unfinished day or hour is a ring beside the line, because a line to its value so far would look like a drop. */
function linesOf(data: ChartData, size: Size): { now: string; current: string; before: string; filled: string } {
  const { x, y } = scalesOf(data, size);
  const at = (_: number, index: number) => x(index);
  const draw = line<number>(at, y).digits(1);
  const fill = area<number>(at, size.height - MARGIN.bottom, y).digits(1);
  const { values, before, current } = data;
  const finished = current < 0 ? values : values.slice(0, current);
  return {
    now: draw(finished) ?? '',
    current: current < 0 ? '' : ring(x(current), y(values[current] ?? 0)),
    before: draw(before) ?? '',
    filled: fill(finished) ?? '',
  };
}

/** A circle as a path, so that the live update can move it like a line. */
const ring = (x: number, y: number): string =>
  `M${(x - RADIUS).toFixed(1)},${y.toFixed(1)}a${RADIUS},${RADIUS} 0 1 0 ${2 * RADIUS},0a${RADIUS},${RADIUS} 0 1 0 ${-2 * RADIUS},0Z`;
const RADIUS = 4.5;
