import type { Ads } from './ads.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slot.ts';

/** Tells the page what happens to a slot. */
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** The events of one client: to its own listeners, and from the slot up through the page. */
export function createBus(): { readonly emit: Emit; readonly on: Ads['on'] } {
  const target = new EventTarget();
  return {
    emit({ slotId, format, shown, host, state }, type, reason) {
      const detail: AdEventDetail = { slotId, format, adId: shown?.ad.id, reason };
      host.enter?.(state);
      target.dispatchEvent(new CustomEvent(type, { detail: [detail, host] }));
      host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
    },
    on(type, listener) {
      const hear = (event: Event): void => {
        if (event instanceof CustomEvent) listener(...(event.detail as [AdEventDetail, HTMLElement]));
      };
      target.addEventListener(type, hear);
      return () => target.removeEventListener(type, hear);
    },
  };
}
