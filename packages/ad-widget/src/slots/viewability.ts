import type { Slot } from './slot.ts';
import { canBeSeen } from './visibility.ts';

/** Milliseconds enough of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;
/** Square pixels above which 30 % of an ad are enough, instead of half of it. */
const LARGE = 242_500;
/** Of a slot that is clipped to nothing an edge may still touch the viewport; this much of it is more than an edge. */
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
    options: IntersectionObserverInit,
    see: (slot: Slot, entry: IntersectionObserverEntry) => void,
  ): IntersectionObserver =>
    new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = slots.get(entry.target);
        if (slot) see(slot, entry);
      }
      reports.moved();
    }, options);

  const check = (slot: Slot): void => {
    if (canBeSeen(slot.host)) reports.viewable(slot);
    else startClock(slot);
  };
  /** The slots whose second starts in this task: an answer fills many at once, and one timer serves them all. */
  let starting = new Set<Slot>();
  /** A new ad is there, enough of it came or went, or the page was shown again: its second starts now. */
  const startClock = (slot: Slot): void => {
    slot.view.clock?.delete(slot);
    if (!slot.view.half || !slot.shown || slot.shown.viewed || document.hidden) return;
    if (!starting.size) {
      setTimeout((started: Set<Slot>) => started.forEach(check), VIEWABLE_AFTER, starting);
      queueMicrotask(() => {
        starting = new Set();
      });
    }
    slot.view.clock = starting.add(slot);
  };
  const inside = observe({ threshold: [0, 0.3, 0.5] }, (slot, entry) => {
    const { isIntersecting, intersectionRatio, boundingClientRect } = entry;
    const area = boundingClientRect.width * boundingClientRect.height;
    const half = area > 0 && intersectionRatio >= (area > LARGE ? 0.3 : 0.5);
    if (isIntersecting !== slot.view.inView) {
      slot.view.inView = isIntersecting;
      reports.crossed(slot);
    }
    if (half !== slot.view.half) {
      slot.view.half = half;
      startClock(slot);
    }
  });
  const around = observe({ rootMargin: `${margin}px 0px`, threshold: SOME }, ({ view }, { intersectionRatio }) => {
    view.near = intersectionRatio > 0;
  });
  return {
    startClock,
    watch(host: Element): void {
      around.observe(host);
      inside.observe(host);
    },
    forget(slot: Slot): void {
      const { host, view } = slot;
      around.unobserve(host);
      inside.unobserve(host);
      view.clock?.delete(slot);
    },
    /** An ad was drawn. A slot that had no area is only seen again when it is observed anew. */
    observeAnew(slot: Slot): void {
      startClock(slot);
      if (slot.open || slot.view.half) return;
      inside.unobserve(slot.host);
      inside.observe(slot.host);
    },
    /** Of a card that opens outside its slot: whether it may come, and whether it is open. */
    place(slot: Slot, near: boolean, open: boolean): void {
      slot.view.near = near;
      slot.view.inView = slot.view.half = open;
      startClock(slot);
    },
  };
}
