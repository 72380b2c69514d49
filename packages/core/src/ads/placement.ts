import { LIMITS } from '@broadsheet/contract';

/** The placement under which everything is counted that has no other, or comes after the last one of a day. */
export const OTHER_PLACEMENT = 'other';

/** The placement of a slot: its id, unless that holds what not every database can store as text. */
export function placementOf(slotId: string): string {
  return UNSTORABLE.test(slotId) ? OTHER_PLACEMENT : slotId;
}

/** NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether a blog may count under a placement on a day on which it has counted under these. */
export function isCountedByItself(placement: string, known: Pick<ReadonlySet<string>, 'has' | 'size'>): boolean {
  return placement !== OTHER_PLACEMENT && (known.has(placement) || known.size < LIMITS.placements);
}
