import { setting } from './attributes.ts';
import type { Slot } from './slot.ts';

/** Seconds below which a declared rotation is not honoured: readers and buyers both need the time. */
const SHORTEST = 30;

/**
 * Changes ads while they are looked at, only where the publisher declared it on the slot (`refresh="60"`, seconds after
 * the ad became viewable).
 */
export function rotate(slot: Slot, want: (slot: Slot) => void): void {
  const seconds = Number(setting(slot.host, 'refresh'));
  clearTimeout(slot.rotation);
  if (seconds > 0) slot.rotation = setTimeout(want, Math.max(seconds, SHORTEST) * 1000, slot);
}
