/** The content of a cell; `null` is shown as a dash. */
export type Cell = string | number | null;

/**
 * Formats rows under headings, with numbers aligned to the right. Text is made safe for a terminal.
 *
 * @param whenEmpty what is shown instead of the headings if there are no rows
 */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[], whenEmpty?: string): string {
  if (rows.length === 0 && whenEmpty !== undefined) return whenEmpty;
  const numeric = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const lines = [headings, ...rows.map((row) => row.map(show))];
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

function show(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'number') return cell.toLocaleString('en');
  const text = safeForTerminal(cell)
    .replaceAll('\n', '\\u000a')
    .replace(/\p{Z}+/gu, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Escapes the characters that a terminal would interpret; letters of any script, spaces and line feeds are kept. */
export const safeForTerminal = (text: string): string =>
  text.replace(/[^\P{C}\n]/gu, (match) =>
    match
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
