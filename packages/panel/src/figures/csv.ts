import type { Total } from '@broadsheet/management';
import { downloadHeaders } from '../access/headers.ts';

/** Makes spreadsheets read a file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A table as a file for spreadsheets (RFC 4180). Texts are quoted, and what would become a formula is escaped. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

export const csvHeaders = (name: string) => downloadHeaders(`${name}.csv`, 'text/csv; charset=utf-8');

/** The names of the columns of {@link seenCells} and {@link clickCells}. */
export const SEEN = ['valid', 'viewable', 'viewable %'] as const;
export const CLICKS = ['clicks', 'ctr %'] as const;

/** The valid impressions; without any viewable one in the blog, their number is unknown. */
export const seenCells = ({ valid, viewable, viewableRate }: Total): (string | number)[] =>
  viewableRate === null ? [valid, '', ''] : [valid, viewable, percent(viewableRate)];

export const clickCells = ({ clicks, ctr }: Total): number[] => [clicks, percent(ctr)];

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
