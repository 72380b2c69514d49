import { setting } from '../slots/attributes.ts';
import { sheet } from './style.ts';

/** Wins over the reserved box of the page's style sheet. */
const COLLAPSED = ':host{display:none!important}';

interface Folding {
  readonly host: Element;
  readonly root?: ShadowRoot | undefined;
  readonly inView?: boolean;
  readonly wanted: boolean;
  readonly gone?: boolean;
}

/**
 * Takes the box of a slot without an ad away, unless the publisher keeps it (`empty="keep"`) or has a fallback. Above the
 * reader this moves the text, unless the browser anchors the scroll position; then the box stays until the reader is
 * past it the other way.
 */
export function collapse({ host, root, inView, wanted, gone }: Folding): void {
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
