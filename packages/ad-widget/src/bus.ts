import type { Ads } from './ads.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slot.ts';

/** Tells the page what happens to a slot. */
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** The events of one client: from the slot up through the page, where its listeners hear those of its own slots. */
export function createBus(
  slots: ReadonlyMap<Element, Slot>,
  signal: AbortSignal,
): { readonly emit: Emit; readonly on: Ads['on'] } {
  return {
    emit({ slotId, format, shown, host, state }, type, reason) {
      const detail: AdEventDetail = { slotId, format, adId: shown?.ad.id, reason };
      host.enter?.(state);
      host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
    },
    on(type, listener) {
      const name = `broadsheet:${type}` as const;
      const hear = (event: CustomEvent<AdEventDetail>): void => {
        // The event's own target: from outside a shadow root `target` is that root's host.
        const host = event.composedPath()[0];
        if (host instanceof HTMLElement && slots.has(host)) listener(event.detail, host);
      };
      // While it goes down: nothing in the page can stop it before.
      window.addEventListener(name, hear, { capture: true, signal });
      return () => window.removeEventListener(name, hear, true);
    },
  };
}
