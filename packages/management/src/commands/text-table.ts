/** The content of a cell; `null` is shown as a dash. */
export type Cell = string | number | null;

/** Whether a column has texts, which may be shortened, or ids or URLs, which the next command may need as a whole. */
type ColumnKind = 'id' | 'url' | 'text';

/** Columns by their headings. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** Rows under headings. */
export interface Table {
  readonly columns: Columns;
  readonly rows: readonly (readonly Cell[])[];
  /** What is shown instead of the headings if there are no rows. */
  readonly whenEmpty?: string | undefined;
}

/** What a command prints: texts and tables, with an empty line between them. */
export type Printed = string | Table | readonly (string | Table)[];

export const table = (columns: Columns, rows: Table['rows'], whenEmpty?: string): Table => ({
  ...{ columns, rows, whenEmpty },
});

/**
 * Writes what a command prints.
 *
 * @param isTerminal whether a person reads it: long texts in tables are then shortened
 */
export function asText(printed: Printed, isTerminal: boolean): string {
  const parts = typeof printed === 'string' || 'rows' in printed ? [printed] : printed;
  return parts.map((part) => (typeof part === 'string' ? part : format(part, isTerminal)).trimEnd()).join('\n\n');
}

/** Aligns numbers to the right, and makes text safe for a terminal. */
function format({ columns, rows, whenEmpty }: Table, isTerminal: boolean): string {
  if (rows.length === 0 && whenEmpty !== undefined) return whenEmpty;
  const headings = Object.keys(columns);
  const isShortened = Object.values(columns).map((kind) => isTerminal && kind === 'text');
  const numeric = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const cells = rows.map((row) => row.map((cell, column) => show(cell, isShortened[column] ?? false)));
  const lines = [headings, ...cells];
  const widths = headings.map((_, column) =>
    lines.reduce((most, line) => Math.max(most, line[column]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** The number of characters of a text on a terminal. */
const SHORT = 60;

function show(cell: Cell, isShortened: boolean): string {
  if (cell === null) return '-';
  if (typeof cell === 'number') return cell.toLocaleString('en');
  const text = safeForTerminal(cell)
    .replaceAll('\n', '\\u000a')
    .replace(/\p{Z}+/gu, ' ');
  return isShortened && text.length > SHORT ? `${text.slice(0, SHORT - 3).toWellFormed()}...` : text;
}

/** Escapes the characters that a terminal would interpret; letters of any script, spaces and line feeds are kept. */
export const safeForTerminal = (text: string): string =>
  text.replace(/[^\P{C}\n]/gu, (match) =>
    match
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
