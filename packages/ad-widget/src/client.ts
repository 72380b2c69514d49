import type { Ads } from './ads.ts';
import { createBus } from './bus.ts';
import { createClicks } from './click.ts';
import { watchConsent } from './consent.ts';
import { type Delivered, deliveredNow } from './creative.ts';
import { createDeliveries } from './deliveries.ts';
import { draw } from './draw.ts';
import { onSlotConnected } from './element.ts';
import { explain } from './faults.ts';
import { onPageChange } from './gate.ts';
import { openJournal } from './journal.ts';
import type { AdsOptions } from './options.ts';
import { createPool, isExpired } from './pool.ts';
import { preparePopup } from './prepare-popup.ts';
import { rotate } from './rotation.ts';
import { setting } from './setting.ts';
import { createSight } from './sight.ts';
import { claim, collapse, disclaim, dress, SELECTOR, type Slot, showFallback } from './slot.ts';
import { fetchTransport } from './transport.ts';

export function startClient(options: AdsOptions): Ads {
  const { baseUrl, apiKey, client = '' } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const slots = new Map<Element, Slot>();
  const pool = createPool();
  const { emit, on } = createBus(slots, signal);
  const counts = { filled: 0, empty: 0, failed: 0, viewable: 0 };
  const report = (cause: unknown): void => explain(baseUrl, cause);
  const transport = options.transport ?? fetchTransport(baseUrl, apiKey);
  const clicks = createClicks(transport, openJournal(baseUrl + client), report);
  let consented = false;

  const want = (slot: Slot): void => {
    slot.wanted = true;
    deliveries.schedule();
  };

  function show(slot: Slot, delivered: Delivered): void {
    if (!slots.has(slot.host)) {
      pool.put(slot.format, delivered);
      return;
    }
    showFallback(slot);
    slot.shown = delivered;
    slot.state = 'filled';
    const card = draw(slot, delivered.ad, { followed: () => follow(slot, delivered), broken: explain });
    slot.undraw = slot.open?.(card);
    if (!slot.open) slot.root.replaceChildren(card);
    counts.filled++;
    sight.startClock(slot.host);
    emit(slot, 'filled');
  }

  function follow(slot: Slot, delivered: Delivered): void {
    if (delivered.clicked) return;
    delivered.clicked = true;
    if (isExpired(delivered)) {
      clicks.receipts.expired++;
      emit(slot, 'clickexpired');
    } else {
      clicks.register(delivered.ad.clickToken);
      emit(slot, 'click');
    }
  }

  function standEmpty(slot: Slot, state: 'empty' | 'failed'): void {
    counts[state]++;
    slot.state = state;
    showFallback(slot);
    collapse(slot);
  }

  const deliveries = createDeliveries(
    {
      line: baseUrl + apiKey,
      transport,
      slots,
      stored: (slot) => pool.take(slot.format, slot.slotId),
      consented: () => consented,
      filled: show,
      empty(slot) {
        standEmpty(slot, 'empty');
        emit(slot, 'empty');
      },
      failed(failed, cause) {
        report(cause);
        const reason = cause instanceof Error ? cause.message : String(cause);
        for (const slot of failed) {
          // An ad that is already there is better than none.
          if (slot.shown) slot.state = 'filled';
          else standEmpty(slot, 'failed');
          emit(slot, 'error', reason);
        }
      },
    },
    signal,
  );

  const sight = createSight(options.margin ?? '200px', {
    near(host, near) {
      const slot = slots.get(host);
      if (!slot) return;
      slot.near = near;
      // Renewed on its way into view, never under the reader's eyes.
      if (near && slot.shown && isExpired(slot.shown)) slot.wanted = true;
      if (near && slot.wanted) deliveries.schedule();
    },
    inView(host, inView) {
      const slot = slots.get(host);
      if (!slot) return;
      slot.inView = inView;
      if (!inView) collapse(slot);
    },
    viewable(host) {
      const slot = slots.get(host);
      if (!slot?.shown || slot.shown.viewed) return;
      slot.shown.viewed = true;
      counts.viewable++;
      rotate(slot, want);
      emit(slot, 'viewable');
    },
  });

  function adopt(host: HTMLElement): void {
    if (signal.aborted || slots.has(host) || (setting(host, 'client') ?? '') !== client) return;
    const slot = claim(host);
    if (!slot) return;
    slots.set(host, slot);
    if (slot.format === 'POPUP') preparePopup(slot, emit, deliveries.schedule, signal);
    else sight.watch(host);
  }

  function release(slot: Slot): void {
    slots.delete(slot.host);
    sight.forget(slot.host);
    const { shown } = slot;
    disclaim(slot);
    if (shown) pool.put(slot.format, shown);
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

  for (const result of options.delivered?.results ?? []) {
    const delivered = deliveredNow(result, options.delivered?.at);
    if (delivered) pool.put(result.format, delivered, result.slotId);
  }
  onPageChange(() => {
    sight.pageChanged();
    for (const slot of slots.values()) if (slot.near && slot.shown && isExpired(slot.shown)) slot.wanted = true;
    deliveries.schedule();
  }, signal);
  const decide = (granted: boolean): void => {
    consented = granted;
    deliveries.schedule();
  };
  watchConsent(options.consent ?? true, decide, signal);
  onSlotConnected(adopt, signal);

  return {
    client,
    mount(root) {
      changes.observe(root, { childList: true, subtree: true });
      scan(root);
    },
    refresh(host) {
      for (const slot of host ? [slots.get(host)] : slots.values()) {
        if (!slot) continue;
        dress(slot);
        want(slot);
      }
    },
    consent: decide,
    on,
    stats: () => ({ ...deliveries.counts, ...counts, clicks: { ...clicks.receipts } }),
    inspect: () => [...slots.values()],
    destroy() {
      stop.abort();
      changes.disconnect();
      sight.stop();
      for (const slot of slots.values()) release(slot);
    },
  };
}
