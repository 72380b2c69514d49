import type { LIMITS } from '@broadsheet/contract';

// The contract's numbers as literals: a change there is a type error here, and its whole table stays out of the file
// that every page loads.

/** Slots in one request. */
export const MAX_SLOTS: (typeof LIMITS)['slots']['max'] = 20;
/** Characters of a slot's name. */
export const MAX_SLOT_ID: (typeof LIMITS)['slotId']['max'] = 200;
/** Seconds a click token lives. */
export const TOKEN_TTL: (typeof LIMITS)['clickTokenTtl'] = 600;
