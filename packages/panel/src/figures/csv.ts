import type { Total } from '@broadsheet/management';
import { downloadHeaders } from '../access/headers.ts';

/** Makes spreadsheets read a file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The names of the columns of a file, with their cells. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number>>;

/** A table as a file for spreadsheets (RFC 4180). Texts are quoted, and what would become a formula is escaped. */
export function csv<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))];
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

export const csvHeaders = (name: string) => downloadHeaders(`${name}.csv`, 'text/csv; charset=utf-8');

/** The valid impressions. How many of them are viewable is unknown if none was ever reported. */
export const SEEN: CsvColumns<Total> = {
  valid: ({ valid }) => valid,
  viewable: ({ viewable, viewableRate }) => (viewableRate === null ? '' : viewable),
  'viewable %': ({ viewableRate }) => (viewableRate === null ? '' : percent(viewableRate)),
};
export const CLICKS: CsvColumns<Total> = { clicks: ({ clicks }) => clicks, 'ctr %': ({ ctr }) => percent(ctr) };

/** A share in percent, with two decimals. */
export const percent = (share: number): number => Math.round(share * 10_000) / 100;

/**
 * A spreadsheet may split the file at other separators, depending on its language, and then a quotation mark within a
 * field does not count. So every part of a text that could become a cell is escaped.
 */
function cell(value: string | number): string {
  if (typeof value === 'number' || value === '') return String(value);
  const parts = value.split(/([;|\t\r\n])/);
  const text = parts.map((part) => (/^["\s]*[=+\-@＝＋－＠]/u.test(part) ? `'${part}` : part)).join('');
  return `"${text.replaceAll('"', '""')}"`;
}
