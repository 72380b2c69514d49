import { after } from '../timer.ts';
import type { Slot } from './slot.ts';
import { canBeSeen } from './visibility.ts';

/** Milliseconds enough of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;
/** Square pixels above which 30 % of an ad are enough, instead of half of it. */
const LARGE = 242_500;
/** An edge of a slot that is clipped to nothing may still touch the viewport; this share of it is more than an edge. */
const SOME = 0.01;

interface ViewReports {
  /** Slots came nearer, or went. */
  moved(): void;
  /** It came into view, or all of it left. */
  crossed(slot: Slot): void;
  /** Enough of it was in view for a second while the page was visible. */
  viewable(slot: Slot): void;
}

/**
 * Watches where slots are, with two observers for all of them.
 *
 * @param margin How far around the viewport is near, pixels.
 */
export function createViewability(slots: ReadonlyMap<Element, Slot>, margin: number, reports: ViewReports) {
  const observe = (
    see: (slot: Slot, entry: IntersectionObserverEntry) => void,
    options: IntersectionObserverInit,
  ): IntersectionObserver =>
    new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = slots.get(entry.target);
        if (slot) see(slot, entry);
      }
      reports.moved();
    }, options);
  /** A new ad is there, enough of it came or went, or the page was shown again: its second starts now. */
  const startClock = (slot: Slot): void => {
    clearTimeout(slot.clock);
    if (!slot.half || !slot.shown || slot.shown.viewed || document.hidden) return;
    slot.clock = after(VIEWABLE_AFTER, () => {
      if (canBeSeen(slot.host)) reports.viewable(slot);
      else startClock(slot);
    });
  };
  const around = observe(
    (slot, { intersectionRatio }) => {
      slot.near = intersectionRatio > 0;
    },
    { rootMargin: `${margin}px 0px`, threshold: SOME },
  );
  const inside = observe(
    (slot, { isIntersecting, intersectionRatio, boundingClientRect: { width, height } }) => {
      const area = width * height;
      const half = area > 0 && intersectionRatio >= (area > LARGE ? 0.3 : 0.5);
      if (isIntersecting !== slot.inView) {
        slot.inView = isIntersecting;
        reports.crossed(slot);
      }
      if (half !== slot.half) {
        slot.half = half;
        startClock(slot);
      }
    },
    { threshold: [0, 0.3, 0.5] },
  );
  return { startClock, observers: [around, inside], inside };
}

/** What {@link createViewability} returns. */
export type Viewability = ReturnType<typeof createViewability>;
