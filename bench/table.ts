import { type Budget, type Finding, heldValue, verdictOf } from './budget.ts';

const figure = (value: number | undefined): string => {
  if (value === undefined) return '-';
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
};

/** A row as the README shows it. */
export function promise({ group, what, relation, budget, unit, of }: Budget): string {
  const bound = relation === '<=' ? 'at most' : 'at least';
  return `| ${group}: ${what} | ${budget === 0 ? 0 : `${bound} ${budget}${of === 'ratio' ? '×' : ` ${unit}`}`} |`;
}

/** One line per row: what, ours, the peer in the same run, ratio, budget, verdict; the notes are below. */
export function table(rows: readonly { readonly budget: Budget; readonly finding: Finding }[]): string {
  const head = ['row', 'ours', 'peer', 'ratio', 'budget', 'verdict'];
  const cells = rows.map(({ budget, finding }) => {
    const measured = 'notMeasured' in finding ? undefined : finding;
    const value = heldValue(budget, finding);
    return [
      `${budget.group}: ${budget.what}`,
      measured ? `${figure(measured.ours)} ${budget.unit}` : '-',
      figure(measured?.reference),
      budget.of === 'difference'
        ? `+${figure(value)}`
        : figure(measured?.ratio ?? (budget.of === 'ratio' ? value : undefined)),
      `${budget.relation} ${figure(budget.budget)}${budget.of === 'ratio' ? 'x' : ''}`,
      verdictOf(budget, finding),
    ];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  const notes = rows.flatMap(({ budget, finding }) => {
    const note = 'notMeasured' in finding ? `not measured: ${finding.notMeasured}` : finding.note;
    return note ? [`  ${budget.id}: ${note}`] : [];
  });
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line), '', ...notes].join('\n');
}
