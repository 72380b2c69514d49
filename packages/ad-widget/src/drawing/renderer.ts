import { setting } from '../slots/attributes.ts';
import type { Slot } from '../slots/slot.ts';
import { COLLAPSED, SHEET, sheet } from './style.ts';

/**
 * The slot's shadow root in its own look. It is made when there is something to put into it: until then the page's
 * children stand there, and neither hydration nor the style of the page has met it.
 */
export function face({ host }: Slot, ...more: readonly string[]): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [SHEET, ...more].map(sheet);
  return root;
}

/** Shows what the publisher wrote between the tags, in a box that is not collapsed. */
export function showFallback(slot: Slot): void {
  slot.undraw?.();
  slot.undraw = slot.shown = undefined;
  if (slot.host.shadowRoot) face(slot).replaceChildren(document.createElement('slot'));
}

/**
 * Takes the box away when there is nothing to show in it, unless the publisher keeps it (`empty="keep"`), has a
 * fallback, or the reader has it in view: then it waits until the slot is out of sight.
 */
export function collapse(slot: Slot): void {
  const { host, state, inView } = slot;
  if (inView || (state !== 'empty' && state !== 'failed') || setting(host, 'empty') === 'keep') return;
  if (host.childElementCount || host.textContent?.trim()) return;
  try {
    face(slot, COLLAPSED);
  } catch {
    // A host that takes no shadow root keeps its box.
  }
}
