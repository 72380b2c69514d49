import { ancestors } from './ancestors.ts';
import type { Slot } from './slot.ts';

/** Square pixels above which 30 % of an ad is enough, instead of half of it (the Media Rating Council's definition). */
const LARGE = 242_500;
/** Pixels. Nobody can read a narrower ad. */
const SLIVER = 50;

/**
 * Whether a slot can be seen. Intersection observers do not report that it is faded out, a sliver, or scaled to a dot,
 * that something such as an age gate covers its centre, or that a modal dialog keeps the reader from reaching it. A
 * slot without a height counts as visible, unless it would begin behind something: on some pages nothing reserves its
 * height before it is filled.
 */
export function canBeSeen({ host, open }: Slot): boolean {
  const { width, height } = host.getBoundingClientRect();
  const isVisible =
    host.isConnected &&
    (width > SLIVER || !host.clientHeight) &&
    // Scaled to at least a tenth of its height.
    height * 10 >= host.offsetHeight &&
    host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) !== false;
  // The card of a popup is in the top layer.
  if (open || !isVisible) return isVisible;
  return !isCovered(host) && (!document.querySelector(':modal') || !!host.closest(':modal'));
}

/**
 * Whether something is in front of an element. Each root from the document down to the element reports only its own
 * elements, and Firefox even those that something outside covers; so the element is covered if any root reports another
 * one. An ancestor is reported where the element has `pointer-events: none`, and nothing outside the viewport.
 */
function isCovered(host: Element): boolean {
  const { left, top, width, height } = host.getBoundingClientRect();
  const above = [...ancestors(host)];
  const roots = new Set(above.map((element) => element.getRootNode() as Document));
  return [...roots].some((root) => {
    const found = root.elementFromPoint(left + width / 2, top + height / 2);
    if (!found || host.contains(found) || above.includes(found)) return false;
    // At the point where a slot without a height begins, the page goes on. Only what is placed over the page covers it.
    return height > 0 || [...ancestors(found)].some((element) => !above.includes(element) && isLifted(element));
  });
}

const isLifted = (element: Element): boolean => /fixed|absolute|sticky/.test(getComputedStyle(element).position);

/** Whether enough of a slot is in view to count as viewable after a second. */
export function isHalf({ intersectionRatio, boundingClientRect: box }: IntersectionObserverEntry): boolean {
  const area = box.width * box.height;
  return area > 0 && intersectionRatio >= (area > LARGE ? 0.3 : 0.5);
}
