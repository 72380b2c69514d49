import type { Slot } from './slot.ts';
import { pageIsSeen } from './visibility.ts';

/** Milliseconds half of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;

/** What is told about a slot that is watched. */
export interface SightReports {
  /** It came within the margin around the viewport. */
  came(slot: Slot): void;
  /** All of it left the viewport. */
  left(slot: Slot): void;
  /** Half of it was in view for a second while the page was visible. */
  viewable(slot: Slot): void;
}

/** Watches where slots are, with two observers for all of them. */
export function createSight(slots: ReadonlyMap<Element, Slot>, margin: string, reports: SightReports) {
  const observe = (
    options: IntersectionObserverInit,
    see: (slot: Slot, entry: IntersectionObserverEntry) => void,
  ): IntersectionObserver =>
    new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = slots.get(entry.target);
        if (slot) see(slot, entry);
      }
    }, options);

  /** A new ad is there, half of it came or went, or the page was shown again: its second starts now. */
  const startClock = (slot: Slot): void => {
    clearTimeout(slot.clock);
    if (slot.half && pageIsSeen()) {
      slot.clock = setTimeout(reports.viewable, VIEWABLE_AFTER, slot);
    }
  };
  const observers = [
    observe({ rootMargin: margin }, (slot, { isIntersecting }) => {
      slot.near = isIntersecting;
      if (isIntersecting) reports.came(slot);
    }),
    observe({ rootMargin: '0px 0px 1000px' }, (slot, { isIntersecting }) => {
      slot.soon = isIntersecting;
    }),
    observe({ threshold: [0, 0.5] }, (slot, { isIntersecting, intersectionRatio }) => {
      const half = intersectionRatio >= 0.5;
      slot.inView = isIntersecting;
      if (half !== slot.half) {
        slot.half = half;
        startClock(slot);
      }
      if (!isIntersecting) reports.left(slot);
    }),
  ];
  return {
    startClock,
    watch(host: Element): void {
      for (const observer of observers) observer.observe(host);
    },
    forget({ host, clock }: Slot): void {
      for (const observer of observers) observer.unobserve(host);
      clearTimeout(clock);
    },
  };
}
