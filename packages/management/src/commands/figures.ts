import type { SnapshotCampaign } from '@broadsheet/contract';
import type { Total } from '../figures/totals.ts';
import { type Cell, type Columns, type Table, table } from './text-table.ts';

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const COUNTED: Columns = {
  ...{ DELIVERED: 'text', VALID: 'text', VIEWABLE: 'text', 'VIEWABLE %': 'text' },
  ...{ CLICKS: 'text', CTR: 'text' },
};

/** The cells of a total; "–" for viewable impressions if they were never measured. */
export function cellsOf({ delivered, valid, viewable, viewableRate, clicks, ctr }: Total) {
  const seen = viewableRate === null ? ['–', '–'] : [viewable, percent(viewableRate)];
  return [delivered, valid, ...seen, clicks, percent(ctr)];
}

/** A table of totals with a bar for the impressions; no table if there are no rows. */
export function totalsTable<Row extends Total>(
  columns: Columns,
  rows: readonly Row[],
  cells: (row: Row) => readonly Cell[],
): readonly Table[] {
  // Not `Math.max(...)`, because a call cannot have so many arguments.
  const most = rows.reduce((max, { impressions }) => Math.max(max, impressions), 0);
  const lines = rows.map((row) => [...cells(row), ...cellsOf(row), bar(row.impressions, most)]);
  return rows.length > 0 ? [table({ ...columns, ...COUNTED, '': 'text' }, lines)] : [];
}

export const dayTable = (days: readonly (Total & { readonly day: string })[], timeZone: string | undefined) =>
  totalsTable({ [timeZone ? `DAY (${timeZone})` : 'DAY']: 'text' }, days, ({ day }) => [day]);

/** A table of the campaigns that sponsors pay for, and one of house campaigns. */
export const tablesByKind = <Row extends Total>(
  columns: Columns,
  rows: readonly Row[],
  kindOf: (row: Row) => SnapshotCampaign['kind'],
  cells: (row: Row) => readonly Cell[],
): readonly Table[] =>
  (['paid', 'house'] as const).flatMap((kind) => {
    const [[first, columnKind] = ['', 'text'] as const, ...others] = Object.entries(columns);
    const own = rows.filter((row) => kindOf(row) === kind);
    const heading = kind === 'house' ? `HOUSE ${first}` : first;
    return totalsTable({ [heading]: columnKind, ...Object.fromEntries(others) }, own, cells);
  });

const BAR_WIDTH = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar with a resolution of an eighth of a character. */
function bar(value: number, most: number): string {
  if (most <= 0 || value <= 0) return '';
  const eighths = Math.max(1, Math.round((value / most) * BAR_WIDTH * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
