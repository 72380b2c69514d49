import { setting } from '../slots/attributes.ts';
import { sheet } from './style.ts';

/** Wins over the reserved box of the page's style sheet. */
const COLLAPSED = ':host{display:none!important}';

/** Takes the box of a slot without an ad away, unless the publisher keeps it (`empty="keep"`) or has a fallback. */
export function collapse(host: Element): void {
  if (setting(host, 'empty') === 'keep' || host.childElementCount || host.textContent?.trim()) return;
  try {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet(COLLAPSED)];
  } catch {
    // A host that takes no shadow root keeps its box.
  }
}
