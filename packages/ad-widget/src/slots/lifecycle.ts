import type { Context } from '../context.ts';
import type { Delivered } from '../delivery/creative.ts';
import { draw } from '../drawing/draw.ts';
import { SHEET, sheet } from '../drawing/style.ts';
import { onDemand } from '../load-on-demand.ts';
import { type Slot, type SlotState, setState } from './slot.ts';

/**
 * Creates the shadow root just before an ad is requested, so that frameworks hydrate an untouched host. Until there is an
 * ad, the page's children are shown. @returns whether an ad can be rendered in the slot now
 */
export function prepare(context: Context, slot: Slot): boolean {
  const { host } = slot;
  try {
    if (!slot.root) {
      sheet(SHEET);
      slot.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
      if (host.firstChild) showFallback(slot);
    }
    return true;
  } catch {
    slot.wanted = false;
    onDemand(({ prepareChild }) => prepareChild(context, slot));
    return false;
  }
}

/** Shows the children of the page, unstyled. */
function showFallback({ root }: Slot): void {
  if (!root) return;
  root.adoptedStyleSheets = [];
  root.replaceChildren(document.createElement('slot'));
}

/** Lets the slot wait for a new ad. The current one stays until it arrives. */
export function requestSoon(slot: Slot): void {
  if (!slot.delivered) clear(slot);
  slot.wanted = true;
}

export function fill(slot: Slot, delivered: Delivered, followed: (event: Event) => void): void {
  const { host, format, open } = slot;
  const root = slot.root as ShadowRoot;
  slot.wanted = false;
  root.adoptedStyleSheets = [sheet(SHEET)];
  const card = draw(host, format, delivered.ad, followed);
  slot.undraw?.();
  slot.undraw = open?.(card, root);
  if (!open) root.replaceChildren(card);
  slot.delivered = delivered;
  setState(slot, 'filled');
}

/** Removes the ad and shows the publisher's children. @returns the ad */
export function clear(slot: Slot, state: SlotState = 'waiting'): Delivered | undefined {
  const { delivered } = slot;
  slot.undraw?.();
  slot.undraw = slot.delivered = undefined;
  slot.wanted = state === 'waiting';
  showFallback(slot);
  setState(slot, state);
  return delivered;
}
