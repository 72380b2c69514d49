import type { Slot } from './slot.ts';

/** Square pixels above which 30 % of an ad is enough, instead of half of it (the Media Rating Council's definition). */
const LARGE = 242_500;
/** Pixels. Nobody can read a narrower ad. */
const SLIVER = 50;

/**
 * Whether a slot can be seen. Intersection observers do not report that it is faded out, a sliver, or scaled to a dot,
 * that something such as an age gate covers its centre, or that a modal dialog keeps the reader from reaching it. A
 * slot without a height counts as visible: on some pages nothing reserves its height before it is filled.
 */
export function canBeSeen({ host, open }: Slot): boolean {
  const { left, top, width, height } = host.getBoundingClientRect();
  const isVisible =
    host.isConnected &&
    (width > SLIVER || !host.clientHeight) &&
    // Scaled to at least a tenth of its height.
    height * 10 >= host.offsetHeight &&
    host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) !== false;
  // The card of a popup is in the top layer.
  if (open || !isVisible) return isVisible;
  // Each root reports only its own elements: something in a shadow root is reported as the host of that root.
  const root = host.getRootNode() as Document;
  const found = height && root.elementFromPoint(left + width / 2, top + height / 2);
  // An ancestor is found where the slot has `pointer-events: none`, and nothing outside the viewport.
  if (found) return host.contains(found) || found.contains(host);
  return !document.querySelector(':modal') || !!host.closest(':modal');
}

/** Whether enough of a slot is in view to count as viewable after a second. */
export function isHalf({ intersectionRatio, boundingClientRect: box }: IntersectionObserverEntry): boolean {
  const area = box.width * box.height;
  return area > 0 && intersectionRatio >= (area > LARGE ? 0.3 : 0.5);
}
