import type { Slot } from './slot.ts';

/** Square pixels above which 30 % of an ad are enough, instead of half of it. */
const LARGE = 242_500;
/** An edge of a slot that is clipped to nothing may still touch the viewport; this share of it is more than an edge. */
const SOME = 0.01;

interface Sights {
  /** It came into view, or all of it left. */
  crossed(slot: Slot): void;
  /** Enough of it came into view to count as viewable after a second, or left. */
  halved(slot: Slot): void;
  /** Slots came nearer, or went. */
  moved(): void;
}

/**
 * Watches where slots are, with two observers for all of them: what is near, and what is inside the viewport.
 *
 * @param margin How far around the viewport is near, pixels.
 */
export function watchSlots(slots: ReadonlyMap<Element, Slot>, margin: number, { crossed, halved, moved }: Sights) {
  const observe = (
    see: (slot: Slot, entry: IntersectionObserverEntry) => void,
    options: IntersectionObserverInit,
  ): IntersectionObserver =>
    new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = slots.get(entry.target);
        if (slot) see(slot, entry);
      }
      moved();
    }, options);
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
        crossed(slot);
      }
      if (half !== slot.half) {
        slot.half = half;
        halved(slot);
      }
    },
    { threshold: [0, 0.3, 0.5] },
  );
  return [around, inside] as const;
}
