import { setting } from '../slots/attributes.ts';
import type { Slot } from '../slots/slot.ts';
import { sheet } from './style.ts';

/** Overrides the box that the page's style sheet reserves. */
const COLLAPSED = ':host{display:none!important}';

/**
 * Collapses a slot without an ad, unless the publisher keeps its box (`empty="keep"`) or has a fallback. Above the
 * viewport this would move the text in browsers without scroll anchoring: there the box stays until it is below it.
 */
export function collapse({ host, root, inView, wanted, gone }: Slot): void {
  if (!root || inView || wanted || gone) return;
  if (setting(host, 'empty') === 'keep' || host.textContent?.trim()) return;
  if ([...host.children].some((child) => child !== root.host)) return;
  if (host.getBoundingClientRect().top < innerHeight && !isAnchored(host)) return;
  root.adoptedStyleSheets = [sheet(COLLAPSED)];
}

/** Whether the browser keeps the text in place when something above it changes its height. */
function isAnchored(host: Element): boolean {
  for (let element: Element | null = host; element; element = element.parentElement) {
    if (getComputedStyle(element).overflowAnchor !== 'auto') return false;
  }
  return true;
}
