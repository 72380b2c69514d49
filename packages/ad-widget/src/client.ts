import type { Ads } from './ads.ts';
import { explain } from './advice/explain.ts';
import { createBus } from './bus.ts';
import { createClicks } from './clicks/clicks.ts';
import { openJournal } from './clicks/journal.ts';
import { watchConsent } from './consent/watch-consent.ts';
import { deliveredNow } from './delivery/creative.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createPool, isExpired } from './delivery/pool.ts';
import { fetchTransport } from './delivery/transport.ts';
import { collapse, showFallback } from './drawing/renderer.ts';
import type { AdsOptions } from './options.ts';
import { SELECTOR, setting } from './slots/attributes.ts';
import { onSlotConnected } from './slots/element.ts';
import { createStage } from './slots/lifecycle.ts';
import { rotate } from './slots/rotation.ts';
import { claim, disclaim, type Slot } from './slots/slot.ts';
import { createSight } from './slots/viewability.ts';
import { onPageChange } from './slots/visibility.ts';

/** Puts the parts together for one key: where slots are, when ads are asked for, what stands in them. */
export function startClient(options: AdsOptions): Ads {
  const { baseUrl, apiKey, client = '', delivered: sent } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const slots = new Map<Element, Slot>();
  const pool = createPool();
  const { emit, on } = createBus();
  const transport = options.transport ?? fetchTransport(baseUrl, apiKey);
  const report = (cause: unknown): void => explain(baseUrl, cause);
  const clicks = createClicks(transport, openJournal(baseUrl + client), report);
  const stage = createStage(emit, clicks);
  let viewable = 0;
  let consented = false;
  const here = (slot: Slot): boolean => slots.get(slot.host) === slot;

  const deliveries = createDeliveries(
    {
      line: baseUrl + apiKey,
      transport,
      slots,
      stored: (slot) => pool.take(slot.format, slot.slotId),
      consented: () => consented,
      settle(slot, delivered) {
        // Its slot went away meanwhile: another may have it.
        if (!here(slot)) {
          if (delivered) pool.put(slot.format, delivered);
        } else if (delivered) {
          // A card outside the slot stands in view as long as it is open.
          if (slot.open) slot.half = true;
          stage.fill(slot, delivered);
          sight.startClock(slot);
        } else stage.empty(slot);
      },
      failed(failed, cause) {
        const left = failed.filter(here);
        if (left.length) report(cause);
        for (const slot of left) stage.fail(slot, String(cause));
      },
    },
    signal,
  );
  const decide = (granted: boolean): void => {
    consented = granted;
    deliveries.schedule();
  };
  /** An ad is renewed on its way into view or when the page comes back, never under the reader's eyes. */
  const renew = (slot: Slot): void => {
    if (slot.near && (slot.wanted || (slot.shown && isExpired(slot.shown)))) deliveries.want(slot);
  };

  const sight = createSight(slots, options.margin ?? '200px', {
    came: renew,
    left: collapse,
    viewable(slot) {
      if (!slot.shown || slot.shown.viewed) return;
      slot.shown.viewed = true;
      viewable++;
      rotate(slot, deliveries.want);
      emit(slot, 'viewable');
    },
  });

  const closed = (slot: Slot): void => {
    slot.near = slot.half = false;
    sight.startClock(slot);
    emit(slot, 'close');
  };

  function adopt(host: HTMLElement): void {
    if (signal.aborted || slots.has(host) || (setting(host, 'client') ?? '') !== client) return;
    const slot = claim(host);
    if (!slot) return;
    slots.set(host, slot);
    if (slot.format !== 'POPUP') sight.watch(host);
    else {
      import('./drawing/popup.ts').then(
        ({ preparePopup }) => preparePopup(slot, deliveries.schedule, closed, signal),
        (cause) => emit(slot, 'error', String(cause)),
      );
    }
  }

  function release(slot: Slot): void {
    const { host, format, shown, rotation } = slot;
    slots.delete(host);
    sight.forget(slot);
    clearTimeout(rotation);
    showFallback(slot);
    disclaim(host);
    if (shown) pool.put(format, shown);
  }

  function scan(root: ParentNode): void {
    if (root instanceof HTMLElement && root.matches(SELECTOR)) adopt(root);
    for (const host of root.querySelectorAll<HTMLElement>(SELECTOR)) adopt(host);
  }

  const changes = new MutationObserver((records) => {
    // A slot that was only moved is connected again by now and keeps its ad.
    for (const slot of slots.values()) if (!slot.host.isConnected) release(slot);
    for (const { addedNodes } of records) for (const node of addedNodes) if (node instanceof Element) scan(node);
  });

  for (const result of sent?.results ?? []) {
    const delivered = deliveredNow(result, sent?.at);
    if (delivered) pool.put(result.format, delivered, result.slotId);
  }
  onPageChange(() => {
    for (const slot of slots.values()) {
      sight.startClock(slot);
      renew(slot);
    }
  }, signal);
  watchConsent(options.consent ?? true, decide, signal);
  onSlotConnected(adopt, signal);
  // The browser may read storage from disk for it; no slot waits for that.
  (window.requestIdleCallback ?? setTimeout)(() => signal.aborted || clicks.resume());

  return {
    client,
    mount(root) {
      changes.observe(root, { childList: true, subtree: true });
      scan(root);
    },
    refresh(host) {
      for (const slot of host ? [slots.get(host)] : slots.values()) {
        if (!slot) continue;
        if (!slot.shown) showFallback(slot);
        deliveries.want(slot);
      }
    },
    consent: decide,
    on,
    stats: () => ({ ...deliveries.counts, ...stage.counts, viewable, clicks: { ...clicks.receipts } }),
    inspect: () => [...slots.values()],
    destroy() {
      stop.abort();
      changes.disconnect();
      for (const slot of slots.values()) release(slot);
    },
  };
}
