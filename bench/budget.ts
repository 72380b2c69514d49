import { readFileSync } from 'node:fs';

/** A row of `budgets.json`, the only source of the budgets. */
export interface Budget {
  readonly id: string;
  readonly group: string;
  readonly what: string;
  readonly unit: string;
  readonly relation: '<=' | '>=';
  readonly budget: number;
  /** The value that is compared with the budget: our figure, its ratio to the reference, or its difference from it. */
  readonly of: 'ours' | 'ratio' | 'difference';
}

/** The result of one run for a row, or the reason why there is none. */
export type Finding =
  | {
      readonly id: string;
      readonly ours: number;
      readonly reference?: number;
      /** Median of the ratios of all rounds; by default, `ours / reference`. */
      readonly ratio?: number;
      /** Conditions of the run, and results of other programs. */
      readonly note?: string;
    }
  | { readonly id: string; readonly notMeasured: string };

/** Options of a run. */
export interface BenchOptions {
  readonly quick: boolean;
  readonly say: (text: string) => void;
}

export type Verdict = 'met' | 'MISSED' | 'not measured';

export const budgets: readonly Budget[] = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** The number that is compared with the budget. */
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
