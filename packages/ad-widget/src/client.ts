import type { Ads } from './ads.ts';
import { createClicks, unlessPrevented } from './clicks/clicks.ts';
import { type Delivered, deliveredNow, type Transport } from './delivery/creative.ts';
import { isPassing, statusOf } from './delivery/delivery-error.ts';
import { fetchTransport } from './delivery/fetch-transport.ts';
import { MAX_SLOTS } from './delivery/limits.ts';
import { isExpired, isUnseen, takeUnseen } from './delivery/pool.ts';
import { type AdEventType, type AdListener, callPage, type Emit } from './events.ts';
import { explain, loadOnDemand, retryLater } from './load-on-demand.ts';
import type { AdsOptions } from './options.ts';
import { shared } from './page.ts';
import { numberOf, SELECTOR, setting } from './slots/attributes.ts';
import { onSlotChange } from './slots/element.ts';
import { OPENINGS } from './slots/formats.ts';
import { Reach } from './slots/reach.ts';
import { claim, disclaim, enter, fail, fill, fold, type Slot, vacate, want } from './slots/slot.ts';
import { Viewability } from './slots/viewability.ts';
import { canBeSeen, onPageChange } from './slots/visibility.ts';
import { after, type Timer } from './timer.ts';

/** Pixels around the viewport in which ads are requested for a reader at rest. */
const MARGIN = 200;
/** Milliseconds without scrolling that are a rest. */
const DWELL = 200;
/** More pixels around it from where a reader on the move may come. */
const AROUND = 1000;
/** Milliseconds after which a page has most likely loaded. */
const CALM = 1000;
/** Milliseconds until a slot that cannot be seen yet (faded out, for instance) is looked at again. */
const LOOK_AGAIN = 500;

/**
 * The ads of one key: where slots are, when ads are requested, what is shown in them.
 *
 * An impression is counted when the API delivers, so no ad is requested that nobody can see. Slots that are due together
 * share a request of at most 20, and only one is under way for a key: ads do not repeat within a request, so fuller
 * requests mean fewer repeated ads.
 */
export class Client implements Ads {
  readonly client: string;
  readonly #options: AdsOptions;
  readonly #transport: Transport;
  readonly #stop = new AbortController();
  readonly #slots = new Map<Element, Slot>();
  readonly #pool = new Set<Delivered>();
  readonly #listeners = new Set<readonly [AdEventType, AdListener]>();
  readonly #consent = { ads: false, storage: false };
  readonly #counts = { requests: 0, requested: 0, bought: 0, drawn: 0, reused: 0, empty: 0, failed: 0, viewable: 0 };
  readonly #clicks: ReturnType<typeof createClicks>;
  readonly #reach: Reach;
  readonly #viewability: Viewability;
  readonly #changes = new MutationObserver((records) => {
    this.#releaseGone();
    for (const { addedNodes } of records) for (const node of addedNodes) if (node instanceof Element) this.#scan(node);
  });
  #due = false;
  #paused = false;
  #lookAgain: Timer | undefined;

  constructor(options: AdsOptions) {
    const { baseUrl, apiKey, client = '', delivered } = options;
    const { signal } = this.#stop;
    const margin = numberOf(options.margin, MARGIN);
    this.client = client;
    this.#options = options;
    this.#transport = options.transport ?? fetchTransport(baseUrl, apiKey);
    this.#clicks = createClicks(this.#transport, baseUrl + client, this.#consent, (cause) => this.#explain(cause));
    this.#reach = new Reach(margin, numberOf(options.dwell, DWELL), this.#schedule, signal);
    this.#viewability = new Viewability(this.#slots, margin + AROUND, {
      moved: this.#schedule,
      crossed: (slot) => this.#crossed(slot),
      viewable: (slot) => this.#viewable(slot),
    });
    for (const result of delivered?.results ?? []) {
      const sent = deliveredNow(result, delivered?.at);
      if (sent) this.#pool.add(sent);
    }
    onPageChange(() => {
      for (const slot of this.#slots.values()) {
        this.#viewability.startClock(slot);
        // An ad is renewed when the page comes back, never under the reader's eyes.
        if (isOverdue(slot)) want(slot);
      }
      this.#schedule();
    }, signal);
    const { consent = true } = options;
    if (typeof consent === 'boolean' || consent === 'wait') this.consent(consent === true);
    else {
      import('./consent/consent-platform.ts')
        .then(({ ask }) => ask(consent, this.consent, signal))
        .catch(() => this.consent(false));
    }
    onSlotChange((host) => {
      if (host.isConnected) this.#adopt(host);
      else queueMicrotask(() => this.#releaseGone());
    }, signal);
  }

  mount(root: ParentNode & Node): void {
    this.#changes.observe(root, { childList: true, subtree: true });
    this.#scan(root);
  }

  refresh(host?: Element): void {
    for (const slot of this.#slots.values()) if (!host || slot.host === host) want(slot);
    this.#schedule();
  }

  readonly consent = (ads: boolean, storage = ads): void => {
    const first = storage && !this.#consent.storage;
    Object.assign(this.#consent, { ads, storage });
    this.#schedule();
    // The browser may read storage from disk for it: nothing that the page loads waits for that.
    if (first) after(CALM, () => this.#stop.signal.aborted || this.#clicks.resume());
  };

  on(...listening: [AdEventType, AdListener]): () => void {
    this.#listeners.add(listening);
    return () => this.#listeners.delete(listening);
  }

  /** Dispatches an event from the slot up through the page, and to this client's own listeners. */
  readonly #emit: Emit = ({ slotId, format, shown, host }, type, reason) => {
    const detail = { slotId, format, adId: shown?.ad.id, reason };
    host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
    for (const [wanted, listener] of this.#listeners) if (wanted === type) callPage(listener, detail, host);
  };

  stats(): ReturnType<Ads['stats']> {
    return { ...this.#counts, clicks: { ...this.#clicks.receipts } };
  }

  inspect(): ReturnType<Ads['inspect']> {
    return [...this.#slots.values()].map(({ host, slotId, format, state }) => ({ host, slotId, format, state }));
  }

  destroy(): void {
    this.#stop.abort();
    this.#changes.disconnect();
    for (const slot of this.#slots.values()) this.#release(slot);
  }

  #scan(root: ParentNode): void {
    if (root instanceof HTMLElement && root.matches(SELECTOR)) this.#adopt(root);
    for (const host of root.querySelectorAll<HTMLElement>(SELECTOR)) this.#adopt(host);
  }

  #adopt(host: HTMLElement): void {
    if (this.#stop.signal.aborted || this.#slots.has(host) || (setting(host, 'client') ?? '') !== this.client) return;
    const slot = claim(host);
    if (!slot) return;
    this.#slots.set(host, slot);
    if (OPENINGS[slot.format] === 'slot') this.#viewability.watch(host);
    else {
      const place = this.#viewability.place.bind(this.#viewability);
      import('./drawing/popup.ts').then(
        ({ preparePopup }) =>
          preparePopup(slot, { consent: this.#consent, schedule: this.#schedule, place, emit: this.#emit }),
        (cause) => this.#emit(slot, 'error', String(cause)),
      );
    }
  }

  #release(slot: Slot): void {
    this.#slots.delete(slot.host);
    this.#viewability.forget(slot);
    const shown = disclaim(slot);
    if (shown) this.#pool.add(shown);
  }

  /** A slot that was only moved is connected again by now and keeps its ad. */
  #releaseGone(): void {
    for (const slot of this.#slots.values()) if (!slot.host.isConnected) this.#release(slot);
  }

  // An observer reports the slots of a frame together and right after layout: looked at in the same task, they are one
  // request, and whether they are displayed computes no style anew.
  readonly #schedule = (): void => {
    if (!this.#due) queueMicrotask(() => this.#look());
    this.#due = true;
  };

  /** Fills the slots that are due with ads that are there already, and requests ads for the others. */
  #look(): void {
    this.#due = false;
    if (document.hidden || !this.#consent.ads) return;
    const { lines } = shared();
    const line = this.#options.baseUrl + this.#options.apiKey;
    const busy = lines.get(line);
    if (busy) return void busy.then(this.#schedule);
    const requested = [...this.#slots.values()]
      .filter((slot) => this.#isDue(slot))
      .filter((slot) => {
        const stored = takeUnseen(this.#pool, slot.format, slot.slotId) ?? this.#unseen(slot.format);
        if (stored) this.#settle(slot, stored);
        return !stored;
      })
      .slice(0, MAX_SLOTS);
    if (!requested.length || this.#paused) return;
    lines.set(
      line,
      this.#deliver(requested).then(() => {
        lines.delete(line);
        this.#schedule();
      }),
    );
  }

  /** It waits for an ad, or has one to be exchanged before the reader sees it again; and the reader will get to it. */
  #isDue(slot: Slot): boolean {
    if (!(slot.wanted || (!slot.inView && isOverdue(slot))) || !this.#reach.has(slot)) return false;
    if (canBeSeen(slot.host)) return true;
    clearTimeout(this.#lookAgain);
    this.#lookAgain = after(LOOK_AGAIN, this.#schedule);
    return false;
  }

  /** Takes an ad from a slot where its reader will not see it any more. */
  #unseen(format: Slot['format']): Delivered | undefined {
    for (const slot of this.#slots.values()) {
      const { shown, inView } = slot;
      if (shown && slot.format === format && isUnseen(shown) && !inView && !this.#reach.has(slot)) {
        return vacate(slot);
      }
    }
    return undefined;
  }

  async #deliver(requested: readonly Slot[]): Promise<void> {
    const counts = this.#counts;
    counts.requests++;
    counts.requested += requested.length;
    for (const slot of requested) {
      slot.wanted = false;
      enter(slot, 'requested');
    }
    try {
      const results = await this.#transport.deliver(requested.map(({ slotId, format }) => ({ slotId, format })));
      // Matched by position: a page may give two slots one name.
      requested.forEach((slot, index) => {
        const delivered = deliveredNow(results[index]);
        if (delivered) counts.bought++;
        this.#settle(slot, delivered, results.requestId);
      });
    } catch (cause) {
      const again = isPassing(statusOf(cause));
      if (again) {
        this.#paused = true;
        retryLater(cause, this.#resume);
      }
      this.#fail(requested, cause, again);
    }
  }

  readonly #resume = (): void => {
    this.#paused = false;
    this.#schedule();
  };

  /** The response is there: an ad, or none. The slot may be gone. */
  #settle(slot: Slot, delivered: Delivered | undefined, requestId?: Slot['requestId']): void {
    const start = performance.now();
    try {
      if (slot.gone.signal.aborted) {
        // Another slot may have its ad.
        if (delivered) this.#pool.add(delivered);
      } else if (!delivered) {
        vacate(slot, 'empty');
        this.#counts.empty++;
        this.#emit(slot, 'empty');
      } else this.#draw(slot, delivered);
    } catch (cause) {
      // A host that cannot have a shadow root, for instance. The others of the request get theirs.
      this.#fail([slot], cause, false);
    }
    slot.requestId = requestId;
    slot.busy = performance.now() - start;
  }

  #draw(slot: Slot, delivered: Delivered): void {
    fill(slot, delivered, (event) => unlessPrevented(event, () => this.#follow(slot, delivered)));
    this.#counts.drawn++;
    if (delivered.ad.slotId !== slot.slotId) this.#counts.reused++;
    this.#emit(slot, 'filled');
    this.#viewability.drawn(slot);
  }

  #follow(slot: Slot, delivered: Delivered): void {
    if (delivered.clicked) return;
    delivered.clicked = true;
    const expired = isExpired(delivered);
    if (expired) this.#clicks.receipts.expired++;
    else this.#clicks.register(delivered.ad.clickToken);
    this.#emit(slot, expired ? 'clickexpired' : 'click');
  }

  #fail(slots: readonly Slot[], cause: unknown, again: boolean): void {
    const left = slots.filter(({ gone }) => !gone.signal.aborted);
    for (const slot of left) {
      if (!slot.shown) this.#counts.failed++;
      fail(slot, again);
    }
    if (left.length) this.#explain(cause, left);
  }

  #explain(cause: unknown, failed: readonly Slot[] = []): void {
    explain(this.#options.baseUrl, cause).then((reason = String(cause)) => {
      for (const slot of failed) this.#emit(slot, 'error', reason);
    });
  }

  #crossed(slot: Slot): void {
    if (!slot.inView) fold(slot);
    // A reader who comes back by a jump finds the old ad, and then the new one.
    else if (isOverdue(slot)) want(slot);
  }

  #viewable(slot: Slot): void {
    if (!slot.shown || slot.shown.viewed) return;
    slot.shown.viewed = true;
    this.#counts.viewable++;
    this.#emit(slot, 'viewable');
    if (!setting(slot.host, 'refresh')) return;
    loadOnDemand().then(
      ({ rotate }) => rotate(slot, () => this.refresh(slot.host)),
      () => {},
    );
  }
}

/** Its ad can no longer be clicked. */
function isOverdue({ shown }: Slot): boolean {
  return !!shown && isExpired(shown);
}
