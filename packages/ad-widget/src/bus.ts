import type { Ads } from './ads.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slots/slot.ts';

/** Tells the page what happens to a slot. */
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** The events of one client: from the slot up through the page, and to the client's own listeners. */
export function createBus(): { readonly emit: Emit; readonly on: Ads['on'] } {
  // A target of its own: a listener that throws is reported by the browser and stops no other.
  const own = new EventTarget();
  return {
    emit({ slotId, format, shown, host, state }, type, reason) {
      const detail: AdEventDetail = { slotId, format, adId: shown?.ad.id, reason };
      host.enter?.(state);
      host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
      own.dispatchEvent(new CustomEvent(type, { detail: [detail, host] }));
    },
    on(type, listener) {
      const hear = ({ detail }: CustomEventInit<Parameters<typeof listener>>): void => {
        if (detail) listener(...detail);
      };
      own.addEventListener(type, hear);
      return () => own.removeEventListener(type, hear);
    },
  };
}
