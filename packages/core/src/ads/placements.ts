import { LIMITS } from '@broadsheet/contract';

/** The placement that counts everything that is not counted separately. */
export const OTHER_PLACEMENT = 'other';

/** The placement of a slot: its id, unless some databases cannot store the id as text. */
export function placementOf(slotId: string): string {
  return UNSTORABLE.test(slotId) ? OTHER_PLACEMENT : slotId;
}

/** NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether a blog counts a placement separately on a day, given the placements that it has counted on that day. */
export function isCountedByItself(placement: string, known: Pick<ReadonlySet<string>, 'has' | 'size'>): boolean {
  return placement !== OTHER_PLACEMENT && (known.has(placement) || known.size < LIMITS.placements);
}
