import type { Slot } from '../slots/slot.ts';

/** Milliseconds for which a key may be sent again: slightly less than the ten minutes that the API remembers it. */
export const KEY_TTL = 540_000;

/** A request for the ads of some slots, and its repeats. */
export interface Delivery {
  readonly slots: readonly Slot[];
  /** Its idempotency key. */
  readonly key: string;
  /** When its key was created, in milliseconds since 1970. */
  readonly since: number;
  /** An attempt may have been counted: only this key may be sent again. */
  lost?: boolean;
}

export function newDelivery(slots: readonly Slot[]): Delivery {
  const since = Date.now();
  // The key begins with the time, so that a database stores new keys next to each other.
  const key = [since, ...crypto.getRandomValues(new Uint32Array(4))].join('-');
  const delivery = { slots, since, key };
  for (const slot of slots) slot.delivery = delivery;
  return delivery;
}
