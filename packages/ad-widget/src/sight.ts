/** Milliseconds half of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;

/** What is told about an element that is watched. */
export interface SightReports {
  /** It came within the margin around the viewport, or left it. */
  near(host: Element, near: boolean): void;
  /** Some of it came into the viewport, or all of it left. */
  inView(host: Element, inView: boolean): void;
  /** Half of it was in view for a second while the page was visible. */
  viewable(host: Element): void;
}

/** Watches where elements are, with two observers for all of them. */
export function createSight(margin: string, reports: SightReports) {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const halves = new Set<Element>();

  const stopClock = (host: Element): void => {
    clearTimeout(timers.get(host));
    timers.delete(host);
  };
  const startClock = (host: Element): void => {
    stopClock(host);
    if (document.visibilityState !== 'visible' || !halves.has(host)) return;
    timers.set(
      host,
      setTimeout(() => {
        timers.delete(host);
        reports.viewable(host);
      }, VIEWABLE_AFTER),
    );
  };
  const approach = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) reports.near(entry.target, entry.isIntersecting);
    },
    { rootMargin: margin },
  );
  const view = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        reports.inView(target, isIntersecting);
        if (intersectionRatio < 0.5) {
          halves.delete(target);
          stopClock(target);
        } else if (!halves.has(target)) {
          halves.add(target);
          startClock(target);
        }
      }
    },
    { threshold: [0, 0.5] },
  );
  return {
    watch(host: Element): void {
      approach.observe(host);
      view.observe(host);
    },
    forget(host: Element): void {
      approach.unobserve(host);
      view.unobserve(host);
      halves.delete(host);
      stopClock(host);
    },
    /** A new ad is there, or the page was shown again: its second starts now. */
    startClock,
    /** The page was hidden or shown: no clock runs while nobody can look. */
    pageChanged(): void {
      for (const host of halves) startClock(host);
    },
    stop(): void {
      approach.disconnect();
      view.disconnect();
      for (const host of timers.keys()) stopClock(host);
    },
  };
}
