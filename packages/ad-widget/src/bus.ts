import type { Ads } from './ads.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slots/slot.ts';

/** Says to the page what happens to a slot. */
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** The events of one client: from the slot up through the page, and to the client's own listeners. */
export function createBus(): { readonly emit: Emit; readonly on: Ads['on'] } {
  // A target of its own: a listener that throws is reported by the browser and stops no other.
  const own = new EventTarget();
  return {
    emit({ slotId, format, shown, host }, type, reason) {
      const detail: AdEventDetail = { slotId, format, adId: shown?.ad.id, reason };
      host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
      own.dispatchEvent(new CustomEvent(type, { detail: [detail, host] }));
    },
    on(type, listener) {
      const onEvent = ({ detail }: CustomEventInit<Parameters<typeof listener>>): void => {
        if (detail) listener(...detail);
      };
      own.addEventListener(type, onEvent);
      return () => own.removeEventListener(type, onEvent);
    },
  };
}
