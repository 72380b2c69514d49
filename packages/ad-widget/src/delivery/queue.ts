import type { LIMITS } from '@broadsheet/contract';
import { click, unlessPrevented } from '../clicks/clicks.ts';
import type { Context } from '../context.ts';
import { onDemand } from '../load-on-demand.ts';
import { clear, fill, prepare, requestSoon } from '../slots/lifecycle.ts';
import { type Slot, setState, shared } from '../slots/slot.ts';
import type { Watcher } from '../slots/watcher.ts';
import { type Delivered, deliveredNow, type SlotResult } from './creative.ts';
import { type Delivery, KEY_TTL, newDelivery } from './delivery.ts';
import { isUnseen, takeUnseen } from './pool.ts';
import type { createRecovery } from './recovery.ts';

/** Slots in one request. A literal, so that the contract's table stays out of the script. */
const MAX_SLOTS: (typeof LIMITS)['slots']['max'] = 20;

/**
 * Gives the slots of one client their ads. An impression is counted when the API delivers, so only ads that can be seen are
 * requested. Slots due together share a request, and a key has one request in flight: ads do not repeat within a request.
 */
export class DeliveryQueue {
  readonly #context: Context;
  readonly #watcher: Watcher;
  /** Ads that were delivered and that nobody has seen. */
  readonly #pool = new Set<Delivered>();
  /** Loaded when a delivery fails. */
  #recovery: ReturnType<typeof createRecovery> | undefined;
  /** The elements of `deliveredMarkup()` that were already read. */
  readonly #received = new WeakSet<Element>();
  #scheduled = false;
  #paused = false;

  constructor(context: Context, watcher: Watcher) {
    this.#context = context;
    this.#watcher = watcher;
  }

  /**
   * Whether a delivery may be sent now. It is checked before every attempt: a first one, a retry, a repeat, a refresh.
   * A delivery that may have been counted is sent again only with its key, which the API forgets after ten minutes.
   */
  maySend(slots: readonly Slot[], since = Date.now()): boolean {
    const { consent, signal } = this.#context;
    return (
      !document.hidden &&
      consent.ads &&
      !signal.aborted &&
      Date.now() - since < KEY_TTL &&
      slots.some((slot) => this.#watcher.canReach(slot))
    );
  }

  store(delivered: Delivered | undefined): void {
    if (delivered) this.#pool.add(delivered);
  }

  /** Takes the ads of `deliveredMarkup()`, which may be anywhere in the page, or in a part of it that is loaded later. */
  #read(): void {
    for (const element of document.querySelectorAll('script[data-broadsheet-delivered]')) {
      if (this.#received.has(element)) continue;
      try {
        const { results } = JSON.parse(element.textContent) as { results: SlotResult[] };
        this.#received.add(element);
        for (const result of results) {
          if ((result.client ?? '') === this.#context.client) this.store(deliveredNow(result, true));
        }
      } catch {
        // The parser has not finished reading it.
      }
    }
  }

  // An observer reports the slots of a frame together, right after layout. A microtask later they share one request, and
  // checking their visibility causes no new layout.
  readonly schedule = (): void => {
    if (!this.#scheduled) queueMicrotask(() => this.#run());
    this.#scheduled = true;
  };

  resume(): void {
    this.#paused = false;
    this.schedule();
  }

  /** Fills the slots that are due with unseen ads, requests ads for the others, and repeats what was lost. */
  #run(): void {
    this.#scheduled = false;
    const { line, slots } = this.#context;
    const { inFlight } = shared();
    const current = inFlight.get(line);
    if (current) return void current.then(this.schedule);
    this.#read();
    const due = [...slots.values()]
      // Its first ad, or a new one to replace an expired ad out of view.
      .filter((slot) => slot.wanted || (!slot.inView && this.#watcher.clock?.isOverdue(slot)))
      .filter((slot) => this.maySend([slot]))
      // Everything that reads the layout runs before anything that changes it.
      .filter((slot) => prepare(this.#context, slot))
      .filter((slot) => !this.#reuse(slot))
      .slice(0, MAX_SLOTS);
    // The markup of delivered ads may be at the end of the page.
    if (document.readyState === 'loading') return void document.addEventListener('DOMContentLoaded', this.schedule);
    if (this.#paused) return;
    const delivery = due.length ? newDelivery(due) : this.#recovery?.next();
    if (!delivery) return;
    const sent = this.#send(delivery).finally(() => {
      inFlight.delete(line);
      this.schedule();
    });
    inFlight.set(line, sent);
  }

  /** Fills a slot with an unseen ad: one without a slot, the slot's own, or the ad of a slot that was passed. */
  #reuse(slot: Slot): boolean {
    const { format, slotId, delivered: own } = slot;
    let unseen = takeUnseen(this.#pool, format, slotId);
    if (own && isUnseen(own)) unseen ??= own;
    const passed = !unseen && this.#watcher.reach.passed?.(format);
    if (passed) unseen = clear(passed);
    if (unseen) this.#settle(slot, unseen);
    return !!unseen;
  }

  async #send(delivery: Delivery): Promise<void> {
    const { counts, transport } = this.#context;
    const { slots, key } = delivery;
    // A slot that was removed, or for which another delivery has been sent since, takes no ad from a repeated delivery.
    const isWaiting = (slot: Slot): boolean => slot.delivery === delivery;
    counts.requests++;
    counts.requested += slots.length;
    for (const slot of slots.filter(isWaiting)) {
      slot.wanted = false;
      setState(slot, 'requested');
    }
    try {
      const requests = slots.map(({ slotId, format }) => ({ slotId, format }));
      const results = await transport.deliverBatch(requests, { idempotencyKey: key, retry: 0 });
      // Matched by position: a page may give two slots the same name.
      slots.forEach((slot, index) => {
        const delivered = deliveredNow(results[index]);
        if (delivered) counts.delivered++;
        if (isWaiting(slot)) this.#settle(slot, delivered);
        else this.store(delivered);
      });
    } catch (cause) {
      const waiting = slots.filter(isWaiting);
      for (const slot of waiting) this.#fail(slot);
      // Nothing is sent again until the file that decides about it has loaded.
      this.#paused = true;
      onDemand(({ createRecovery }) => {
        this.#recovery ??= createRecovery(this.#context, this, (slot) => this.#watcher.settled(slot));
        return this.#recovery.failed(delivery, waiting, cause);
      });
    }
  }

  #settle(slot: Slot, delivered: Delivered | undefined): void {
    const { consent, counts, emit } = this.#context;
    if (!delivered) {
      clear(slot, 'empty');
      counts.empty++;
      emit(slot, 'empty');
    } else if (consent.ads) {
      try {
        fill(slot, delivered, (event) => unlessPrevented(event, () => click(this.#context, slot, delivered)));
        counts.rendered++;
        if (delivered.ad.slotId !== slot.slotId) counts.reused++;
        emit(slot, 'filled');
      } catch (cause) {
        this.#fail(slot);
        emit(slot, 'error', String(cause));
      }
    } else {
      // Consent was withdrawn in the meantime.
      this.store(delivered);
      requestSoon(slot);
    }
    this.#watcher.settled(slot);
  }

  /** Shows that there is no ad, unless the slot still has one. */
  #fail(slot: Slot): void {
    if (slot.delivered) setState(slot, 'filled');
    else {
      this.#context.counts.failed++;
      clear(slot, 'failed');
    }
  }
}
