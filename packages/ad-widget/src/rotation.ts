import { setting } from './setting.ts';
import type { Slot } from './slot.ts';

/** Seconds below which a declared rotation is not honoured: readers and buyers both need the time. */
const SHORTEST = 30;

/**
 * Changes ads while they are looked at, only where the publisher declared it on the slot (`refresh="60"`, seconds after
 * the ad became viewable).
 */
export function createRotation(want: (slot: Slot) => void) {
  const timers = new Map<Slot, ReturnType<typeof setTimeout>>();
  const stop = (slot: Slot): void => {
    clearTimeout(timers.get(slot));
    timers.delete(slot);
  };
  return {
    start(slot: Slot): void {
      stop(slot);
      const seconds = Number(setting(slot.host, 'refresh'));
      if (seconds > 0)
        timers.set(
          slot,
          setTimeout(() => want(slot), Math.max(seconds, SHORTEST) * 1000),
        );
    },
    stop,
  };
}
