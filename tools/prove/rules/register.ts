import { type Outcome, ZOMBIE } from '../history.ts';
import { SECOND } from './rule.ts';

/** When something happened, by the clock of the run. */
interface Times {
  readonly start: number;
  readonly end: number;
}

/** A change of a value, of which commands with a lost response may or may not have had an effect. */
export interface Change<Value> extends Times {
  readonly outcome: Outcome;
  readonly value: Value;
}

/**
 * The values that a request may see between its start and its end: the last one that was acknowledged more than a
 * second before, and everything that was written since then. A change whose response was lost may take effect later.
 */
export function possibleValues<Value>(
  changes: readonly Change<Value>[],
  initial: Value,
  { start, end }: Times,
): ReadonlySet<Value> {
  const made = changes.filter(({ outcome }) => outcome !== 'refused');
  const settled = made.findLast((change) => change.outcome === 'ok' && change.end + SECOND < start);
  const isPossible = (change: Change<Value>) => {
    if (change === settled) return true;
    if (change.start > end) return false;
    const isNewer = !settled || change.start > settled.start;
    if (change.outcome === 'ok') return isNewer;
    // The changes of a lost command may be shown until the next command.
    return change.end + ZOMBIE > start || !settled || change.end > settled.start;
  };
  const values = new Set(made.filter(isPossible).map(({ value }) => value));
  if (!settled) values.add(initial);
  return values;
}
