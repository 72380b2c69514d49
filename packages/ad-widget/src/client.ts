import type { Ads } from './ads.ts';
import { explain } from './advice/explain.ts';
import { createBus } from './bus.ts';
import { createClicks } from './clicks/clicks.ts';
import { unlessPrevented } from './clicks/unless-prevented.ts';
import { watchConsent } from './consent/watch-consent.ts';
import { type Delivered, deliveredNow } from './delivery/creative.ts';
import { createDeliveries, isOverdue } from './delivery/deliveries.ts';
import { fetchTransport } from './delivery/fetch-transport.ts';
import { createPool, isExpired, isUnseen } from './delivery/pool.ts';
import type { AdsOptions } from './options.ts';
import { SELECTOR, setting } from './slots/attributes.ts';
import { onSlotChange } from './slots/element.ts';
import { watchReach } from './slots/reach.ts';
import { claim, disclaim, fail, fill, fold, rotate, type Slot, vacate, want } from './slots/slot.ts';
import { createViewability } from './slots/viewability.ts';
import { onPageChange } from './slots/visibility.ts';

/** Pixels around the viewport in which ads are bought for a reader at rest. */
const MARGIN = '200px';
/** Milliseconds without scrolling that are a rest. */
const DWELL = 200;
/** More pixels around it from where a reader on the move may come. */
const AROUND = 1000;

/** Milliseconds after which a page has most likely loaded. */
const CALM = 1000;

/** Puts the parts together for one key: where slots are, when ads are bought, what stands in them. */
export function startClient(options: AdsOptions): Ads {
  const { baseUrl, apiKey, client = '', delivered: sent } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const slots = new Map<Element, Slot>();
  const pool = createPool();
  const { emit, on } = createBus();
  const counts = { drawn: 0, reused: 0, empty: 0, failed: 0, viewable: 0 };
  const consent = { ads: false, storage: false };
  const transport = options.transport ?? fetchTransport(baseUrl, apiKey);
  const report = (cause: unknown, failed: readonly Slot[] = []): void => {
    explain(baseUrl, cause).then((reason = String(cause)) => {
      for (const slot of failed) emit(slot, 'error', reason);
    });
  };
  const schedule = (): void => deliveries.schedule();
  const clicks = createClicks(transport, baseUrl + client, consent, report);
  const margin = parseFloat(options.margin ?? MARGIN);
  const reaches = watchReach(margin, options.dwell ?? DWELL, schedule, signal);

  const isHere = (slot: Slot): boolean => slots.get(slot.host) === slot;
  /** An ad that stands where its reader will not see it any more. */
  const unseen = (format: Slot['format']): Delivered | undefined => {
    for (const slot of slots.values()) {
      const { shown, view } = slot;
      if (shown && slot.format === format && isUnseen(shown) && !view.inView && !reaches(slot)) return vacate(slot);
    }
    return undefined;
  };
  const draw = (slot: Slot, delivered: Delivered): void => {
    fill(slot, delivered, (event) => unlessPrevented(event, () => follow(slot, delivered)));
    counts.drawn++;
    if (delivered.ad.slotId !== slot.slotId) counts.reused++;
    emit(slot, 'filled');
    viewability.observeAnew(slot);
  };
  const follow = (slot: Slot, delivered: Delivered): void => {
    if (delivered.clicked) return;
    delivered.clicked = true;
    if (isExpired(delivered)) clicks.receipts.expired++;
    else clicks.register(delivered.ad.clickToken);
    emit(slot, isExpired(delivered) ? 'clickexpired' : 'click');
  };

  const deliveries = createDeliveries({
    line: baseUrl + apiKey,
    transport,
    slots,
    reaches,
    consented: () => consent.ads,
    stored: ({ format, slotId }) => pool.take(format, slotId) ?? unseen(format),
    settle(slot, delivered) {
      if (!delivered) {
        vacate(slot, 'empty');
        counts.empty++;
        emit(slot, 'empty');
      } else if (isHere(slot)) draw(slot, delivered);
      // Its slot went away meanwhile: another may have it.
      else pool.put(delivered);
    },
    failed(failed, cause, again) {
      const left = failed.filter(isHere);
      for (const slot of left) {
        if (!slot.shown) counts.failed++;
        fail(slot, again);
      }
      if (left.length) report(cause, left);
    },
  });
  const renew = (slot: Slot): void => {
    want(slot);
    schedule();
  };

  const viewability = createViewability(slots, margin + AROUND, {
    moved: schedule,
    crossed(slot) {
      if (!slot.view.inView) fold(slot);
      // Who comes back by a jump finds the old one, and then the new one.
      else if (isOverdue(slot)) want(slot);
    },
    viewable(slot) {
      if (!slot.shown || slot.shown.viewed) return;
      slot.shown.viewed = true;
      counts.viewable++;
      rotate(slot, renew);
      emit(slot, 'viewable');
    },
  });

  function adopt(host: HTMLElement): void {
    if (signal.aborted || slots.has(host) || (setting(host, 'client') ?? '') !== client) return;
    const slot = claim(host);
    if (!slot) return;
    slots.set(host, slot);
    if (slot.format !== 'POPUP') viewability.watch(host);
    else {
      import('./drawing/popup.ts').then(
        ({ preparePopup }) => preparePopup(slot, { signal, consent, schedule, place: viewability.place, emit }),
        (cause) => emit(slot, 'error', String(cause)),
      );
    }
  }

  function release(slot: Slot): void {
    slots.delete(slot.host);
    viewability.forget(slot);
    const shown = disclaim(slot);
    if (shown) pool.put(shown);
  }

  /** A slot that was only moved is connected again by now and keeps its ad. */
  function releaseGone(): void {
    for (const slot of slots.values()) if (!slot.host.isConnected) release(slot);
  }

  function scan(root: ParentNode): void {
    if (root instanceof HTMLElement && root.matches(SELECTOR)) adopt(root);
    for (const host of root.querySelectorAll<HTMLElement>(SELECTOR)) adopt(host);
  }

  const changes = new MutationObserver((records) => {
    releaseGone();
    for (const { addedNodes } of records) for (const node of addedNodes) if (node instanceof Element) scan(node);
  });

  const decide = (ads: boolean, storage = ads): void => {
    const first = storage && !consent.storage;
    Object.assign(consent, { ads, storage });
    schedule();
    // The browser may read storage from disk for it: nothing that the page loads waits for that.
    if (first) setTimeout(() => signal.aborted || clicks.resume(), CALM);
  };

  for (const result of sent?.results ?? []) {
    const delivered = deliveredNow(result, sent?.at);
    if (delivered) pool.put(delivered);
  }
  onPageChange(() => {
    for (const slot of slots.values()) {
      viewability.startClock(slot);
      // An ad is renewed when the page comes back, never under the reader's eyes.
      if (isOverdue(slot)) want(slot);
    }
    schedule();
  }, signal);
  watchConsent(options.consent ?? true, decide, signal);
  onSlotChange((host) => (host.isConnected ? adopt(host) : queueMicrotask(releaseGone)), signal);

  return {
    client,
    mount(root) {
      changes.observe(root, { childList: true, subtree: true });
      scan(root);
    },
    refresh(host) {
      for (const slot of host ? [slots.get(host)] : slots.values()) if (slot) renew(slot);
    },
    consent: decide,
    on,
    stats: () => ({ ...deliveries.counts, ...counts, clicks: { ...clicks.receipts } }),
    inspect: () => [...slots.values()],
    destroy() {
      stop.abort();
      changes.disconnect();
      for (const slot of slots.values()) release(slot);
    },
  };
}
