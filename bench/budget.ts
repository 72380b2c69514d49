import { readFileSync } from 'node:fs';

/** A row of the table of numbers to hold: `budgets.json` is its single source. */
export interface Budget {
  readonly id: string;
  readonly group: string;
  readonly what: string;
  readonly unit: string;
  readonly relation: '<=' | '>=';
  readonly budget: number;
  /** What is held against the budget: our figure, its ratio to the reference, or its difference from it. */
  readonly of: 'ours' | 'ratio' | 'difference';
}

/** What one run found for a row, or why it found nothing. */
export type Finding =
  | {
      readonly id: string;
      readonly ours: number;
      readonly reference?: number;
      /** Median over rounds in which both were measured side by side; else it is computed. */
      readonly ratio?: number;
      /** Conditions and other programs of the same run. */
      readonly note?: string;
    }
  | { readonly id: string; readonly notMeasured: string };

/** How a run is made. */
export interface BenchOptions {
  readonly quick: boolean;
  readonly say: (text: string) => void;
}

export type Verdict = 'met' | 'MISSED' | 'not measured';

export const budgets: readonly Budget[] = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** The number held against the budget. */
export function heldValue(budget: Budget, finding: Finding): number | undefined {
  if ('notMeasured' in finding) return undefined;
  const { ours, reference, ratio } = finding;
  if (budget.of === 'ours') return ours;
  if (budget.of === 'ratio') return ratio ?? (reference === undefined ? undefined : ours / reference);
  return reference === undefined ? undefined : ours - reference;
}

export function verdictOf(budget: Budget, finding: Finding): Verdict {
  const value = heldValue(budget, finding);
  if (value === undefined) return 'not measured';
  return (budget.relation === '<=' ? value <= budget.budget : value >= budget.budget) ? 'met' : 'MISSED';
}
