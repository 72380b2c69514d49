import { SHEET, sheet } from './style.ts';

/**
 * The slot's shadow root in its own look. It is made when there is something to put into it: until then the page's
 * children stand there, and neither hydration nor the style of the page has met it.
 */
export function renderRoot(host: Element): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet(SHEET)];
  return root;
}

/** Shows what the publisher wrote between the tags. */
export function showFallback(host: Element): void {
  if (host.shadowRoot) renderRoot(host).replaceChildren(document.createElement('slot'));
}
