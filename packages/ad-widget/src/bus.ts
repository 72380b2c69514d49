import type { Ads } from './ads.ts';
import { callPage } from './call-page.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slots/slot.ts';

/** Says to the page what happens to a slot. */
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** The events of one client: from the slot up through the page, and to the client's own listeners. */
export function createBus(): { readonly emit: Emit; readonly on: Ads['on'] } {
  const listeners = new Set<readonly [AdEventType, Parameters<Ads['on']>[1]]>();
  return {
    emit({ slotId, format, shown, host }, type, reason) {
      const detail: AdEventDetail = { slotId, format, adId: shown?.ad.id, reason };
      host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
      for (const [wanted, listener] of listeners) if (wanted === type) callPage(listener, detail, host);
    },
    on(...listening) {
      listeners.add(listening);
      return () => listeners.delete(listening);
    },
  };
}
