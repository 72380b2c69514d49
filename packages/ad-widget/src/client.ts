import type { LIMITS } from '@broadsheet/contract';
import type { Ads, AdsOptions } from './ads.ts';
import { createClicks, unlessPrevented } from './clicks/clicks.ts';
import { type Delivered, deliveredNow, type SlotResult, type Transport } from './delivery/creative.ts';
import { fetchTransport } from './delivery/fetch-transport.ts';
import { isExpired, isUnseen, takeUnseen } from './delivery/pool.ts';
import { type AdEventType, type AdListener, callPage, type Emit } from './events.ts';
import { explain, loadOnDemand } from './load-on-demand.ts';
import { numberOf, SELECTOR, setting } from './slots/attributes.ts';
import { onSlotChange } from './slots/element.ts';
import { OPENINGS } from './slots/formats.ts';
import { claim, disclaim, enter, fail, fill, fold, keyOf, prepare, vacate, want } from './slots/lifecycle.ts';
import { type Slot, shared } from './slots/slot.ts';
import { canBeSeen, isHalf } from './slots/visibility.ts';
import { after, type Timer } from './timer.ts';

/** Slots in one request. A literal, so that the contract's table stays out of the script. */
const MAX_SLOTS: (typeof LIMITS)['slots']['max'] = 20;
/** Pixels around the viewport in which ads are requested for a reader at rest. */
const MARGIN = 200;
/** Milliseconds after which a page has most likely loaded. */
const CALM = 1000;
/** Slots, and ads that the server delivered with the page. */
const FOUND = `${SELECTOR},script[data-broadsheet-delivered]`;
/** Attributes that identify a slot; those of `<broadsheet-slot>` are reported by the element. */
const ATTRIBUTES = ['data-broadsheet-slot', 'data-format', 'data-client'];
/** Milliseconds until a slot that cannot be seen yet (faded out, for instance) is checked again. */
const LOOK_AGAIN = 500;
/** Milliseconds that enough of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;
/** The share of a slot that must be near: a slot that is clipped to nothing still touches the viewport. */
const SOME = 0.01;

/**
 * The ads of one key: finds slots, requests ads and draws them.
 *
 * An impression is counted when the API delivers, so only ads that can be seen are requested. Slots due together share
 * a request of at most 20, and a key has one request in flight: ads do not repeat within a request, so fuller requests
 * repeat fewer ads.
 */
export class Client implements Ads {
  readonly client: string;
  readonly #baseUrl: string;
  /** Identifies the API and the key. */
  readonly #line: string;
  readonly #transport: Transport;
  readonly #stop = new AbortController();
  readonly #slots = new Map<Element, Slot>();
  readonly #pool = new Set<Delivered>();
  readonly #listeners = new Set<readonly [AdEventType, AdListener]>();
  readonly #consent = { ads: false, storage: false };
  readonly #counts = { requests: 0, requested: 0, bought: 0, drawn: 0, reused: 0, empty: 0, failed: 0, viewable: 0 };
  readonly #clicks: ReturnType<typeof createClicks>;
  /** Observe which slots are near and which are in view. */
  readonly #observers: readonly [IntersectionObserver, IntersectionObserver];
  readonly #changes = new MutationObserver((records) => {
    for (const { target, attributeName, addedNodes } of records) {
      for (const node of attributeName ? [target] : addedNodes) if (node instanceof Element) this.#scan(node);
    }
    if ([...this.#slots.keys()].some((host) => !host.isConnected)) this.#missing();
  });
  /** The texts of `deliveredMarkup()` that were already read. */
  readonly #received = new Set<string>();
  /** When the reader last did something here, milliseconds since 1970. */
  #acted = 0;
  /** Whether the reader will reach a slot. */
  #reaches: (slot: Slot) => boolean = isNear;
  #due = false;
  #paused = false;
  #lookAgain: Timer | undefined;

  constructor(options: AdsOptions) {
    const { baseUrl, apiKey, client = '', delivered } = options;
    const { signal } = this.#stop;
    const margin = numberOf(options.margin, MARGIN);
    this.client = client;
    this.#baseUrl = baseUrl;
    this.#line = baseUrl + apiKey;
    this.#transport = options.transport ?? fetchTransport(baseUrl, apiKey);
    this.#clicks = createClicks(this.#transport, this.#line, this.#consent, (cause) => explain(baseUrl, cause));
    this.#observers = [
      this.#observe({ rootMargin: `${margin}px 0px`, threshold: SOME }, (slot, { intersectionRatio }) => {
        slot.near = intersectionRatio > 0;
      }),
      this.#observe({ threshold: [0, 0.3, 0.5] }, (slot, entry) => this.#see(slot, entry)),
    ];
    this.#receive(delivered?.results);
    document.addEventListener(
      'scroll',
      (event) => {
        // A separate file decides what a reader who scrolls will reach. Nothing is requested until it has loaded.
        this.#reaches = () => false;
        import('./slots/reach.ts').then(
          ({ Reach }) => {
            const reach = new Reach(event, { margin, dwell: options.dwell, changed: this.#schedule, signal });
            this.#reaches = (slot) => reach.has(slot);
          },
          () => {
            this.#reaches = isNear;
          },
        );
      },
      { capture: true, once: true, signal },
    );
    document.addEventListener('visibilitychange', this.#comeBack, { signal });
    // From the back/forward cache.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack(), { signal });
    // A script with `defer` runs when the whole page is parsed.
    if (document.readyState === 'loading') {
      document.addEventListener(
        'DOMContentLoaded',
        () => {
          this.#scan(document);
          this.#schedule();
        },
        { signal },
      );
    }
    for (const type of ['pointerdown', 'keydown', 'scroll']) addEventListener(type, this.#act, { signal });
    const { consent = true } = options;
    if (consent === true) this.consent(true);
    else if (consent && consent !== 'wait') {
      import('./consent/consent-platform.ts').then(({ ask }) => ask(consent, this.consent, signal)).catch(() => {});
    }
    onSlotChange((host) => (host.isConnected ? this.#adopt(host) : this.#missing()), signal);
  }

  readonly #act = (): void => {
    this.#acted = Date.now();
  };

  readonly #comeBack = (): void => {
    this.#act();
    for (const slot of this.#slots.values()) {
      this.#startClock(slot);
      // An expired ad is replaced when the page is shown again, never while the reader looks at it.
      if (this.#isOverdue(slot)) want(slot);
    }
    this.#schedule();
  };

  mount(root: ParentNode & Node): void {
    this.#changes.observe(root, { childList: true, subtree: true, attributeFilter: ATTRIBUTES });
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
    // This opens the storage, which may read from disk: not while the page loads.
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
    const { receipts, unsent } = this.#clicks;
    return { ...this.#counts, clicks: { ...receipts, unsent: unsent.size } };
  }

  inspect(): ReturnType<Ads['inspect']> {
    return [...this.#slots.values()];
  }

  destroy(): void {
    this.#stop.abort();
    this.#changes.disconnect();
    for (const slot of this.#slots.values()) this.#release(slot);
  }

  #scan(root: ParentNode): void {
    if (root instanceof HTMLElement && root.matches(FOUND)) this.#find(root);
    for (const element of root.querySelectorAll<HTMLElement>(FOUND)) this.#find(element);
  }

  #find(element: HTMLElement): void {
    if (!(element instanceof HTMLScriptElement)) return void this.#adopt(element);
    const { textContent: text } = element;
    if (this.#received.has(text)) return;
    try {
      this.#receive(JSON.parse(text).results);
      this.#received.add(text);
    } catch {
      // The parser is still reading it.
    }
  }

  /** Takes ads that the server delivered with the page, or with a part of it that was loaded later. */
  #receive(results: readonly SlotResult[] = []): void {
    for (const result of results) {
      const delivered = deliveredNow(result, true);
      if (delivered) this.#pool.add(delivered);
    }
  }

  #adopt(host: HTMLElement): void {
    const known = this.#slots.get(host);
    if (this.#stop.signal.aborted || (known && known.key === keyOf(host))) return;
    if (known) this.#release(known);
    if ((setting(host, 'client') ?? '') !== this.client) return;
    const slot = claim(host, this.#slots.values());
    if (!slot) return;
    this.#slots.set(host, slot);
    if (OPENINGS[slot.format] === 'slot') {
      for (const observer of this.#observers) observer.observe(host);
    } else {
      import('./drawing/popup.ts').then(
        ({ Popup }) =>
          new Popup(slot, {
            consent: this.#consent,
            schedule: this.#schedule,
            startClock: this.#startClock,
            emit: this.#emit,
          }),
        (cause) => this.#emit(slot, 'error', String(cause)),
      );
    }
  }

  #release(slot: Slot): void {
    this.#slots.delete(slot.host);
    for (const observer of this.#observers) observer.unobserve(slot.host);
    const shown = disclaim(slot);
    if (shown) this.#pool.add(shown);
  }

  /** A slot left the page. If it was only moved (Turbo takes some microtasks for that), it keeps its ad. */
  #missing(): void {
    after(0, this.#schedule);
  }

  // An observer reports the slots of a frame together, right after layout. A microtask later they share one request, and
  // checking their visibility causes no new layout.
  readonly #schedule = (): void => {
    if (!this.#due) queueMicrotask(() => this.#look());
    this.#due = true;
  };

  /** Fills the slots that are due with unseen ads, and requests ads for the others. */
  #look(): void {
    this.#due = false;
    for (const slot of this.#slots.values()) if (!slot.host.isConnected) this.#release(slot);
    if (document.hidden || !this.#consent.ads) return;
    const { lines } = shared();
    const busy = lines.get(this.#line);
    if (busy) return void busy.then(this.#schedule);
    const slots = [...this.#slots.values()];
    const passed = slots.filter((slot) => this.#isPassed(slot));
    const requested = slots
      .filter((slot) => this.#isDue(slot))
      // Everything that reads the layout runs before anything that changes it.
      .filter((slot) => this.#prepare(slot))
      .filter((slot) => {
        const stored = this.#stored(slot, passed);
        if (stored) this.#settle(slot, stored);
        return !stored;
      })
      .slice(0, MAX_SLOTS);
    // The markup of delivered ads may be at the end of the page.
    if (!requested.length || this.#paused || document.readyState === 'loading') return;
    lines.set(
      this.#line,
      this.#deliver(requested).finally(() => {
        lines.delete(this.#line);
        this.#schedule();
      }),
    );
  }

  /** Whether it needs an ad (its first, or a new one for an expired one out of view) and the reader will reach it. */
  #isDue(slot: Slot): boolean {
    if (!(slot.wanted || (!slot.inView && this.#isOverdue(slot))) || !this.#reaches(slot)) return false;
    if (canBeSeen(slot.host)) return true;
    clearTimeout(this.#lookAgain);
    this.#lookAgain = after(LOOK_AGAIN, this.#schedule);
    return false;
  }

  #prepare(slot: Slot): boolean {
    try {
      prepare(slot);
      return true;
    } catch {
      // Nothing can be drawn into it, so nothing is requested.
      slot.wanted = false;
      this.#fail([slot], slot.host);
      return false;
    }
  }

  /** Whether its ad has expired and the reader has acted since it arrived: an idle tab requests nothing. */
  #isOverdue({ shown }: Slot): boolean {
    return !!shown && isExpired(shown) && this.#acted > shown.at;
  }

  /** Whether it has an ad that nobody has seen and the reader will not reach. */
  #isPassed(slot: Slot): boolean {
    return !!slot.shown && !slot.inView && isUnseen(slot.shown) && !this.#reaches(slot);
  }

  /** An unseen ad: one without a slot, the slot's own, or that of a slot that was passed. */
  #stored({ format, slotId, shown: own }: Slot, passed: readonly Slot[]): Delivered | undefined {
    const free = takeUnseen(this.#pool, format, slotId);
    if (free) return free;
    if (own && isUnseen(own)) return own;
    const from = passed.find((slot) => slot.shown && slot.format === format);
    return from && vacate(from);
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
      // Matched by position: a page may give two slots the same name.
      requested.forEach((slot, index) => {
        const delivered = deliveredNow(results[index]);
        if (delivered) counts.bought++;
        this.#settle(slot, delivered);
      });
    } catch (cause) {
      await this.#fail(requested, cause);
    }
  }

  readonly #resume = (): void => {
    this.#paused = false;
    this.#schedule();
  };

  /** Handles the result of a slot, which may have been removed in the meantime. */
  #settle(slot: Slot, delivered: Delivered | undefined): void {
    try {
      if (slot.gone) {
        if (delivered) this.#pool.add(delivered);
      } else if (!delivered) {
        vacate(slot, 'empty');
        this.#counts.empty++;
        this.#emit(slot, 'empty');
      } else this.#draw(slot, delivered);
    } catch (cause) {
      reportError(cause);
    }
  }

  #draw(slot: Slot, delivered: Delivered): void {
    const [, inside] = this.#observers;
    fill(slot, delivered, (event) => unlessPrevented(event, () => this.#follow(slot, delivered)));
    this.#counts.drawn++;
    if (delivered.ad.slotId !== slot.slotId) this.#counts.reused++;
    this.#emit(slot, 'filled');
    this.#startClock(slot);
    if (slot.open || slot.half) return;
    // The observer does not report that a slot which had no area now has one.
    inside.unobserve(slot.host);
    inside.observe(slot.host);
  }

  #follow(slot: Slot, delivered: Delivered): void {
    if (delivered.clicked || !this.#consent.ads) return;
    delivered.clicked = true;
    const expired = isExpired(delivered);
    if (expired) this.#clicks.receipts.expired++;
    else this.#clicks.register(delivered.ad.clickToken);
    this.#emit(slot, expired ? 'clickexpired' : 'click');
  }

  async #fail(slots: readonly Slot[], cause: unknown): Promise<void> {
    // Without the file, which may be on the server that is down, nothing is repeated.
    const file = await loadOnDemand().catch(() => undefined);
    const recovery = file?.recover(this.#baseUrl, cause, this.#resume);
    this.#paused ||= !!recovery?.paused;
    const left = slots.filter(({ gone }) => !gone);
    for (const slot of left) {
      if (!slot.shown) this.#counts.failed++;
      fail(slot, !!recovery?.again);
    }
    const reason = (await recovery?.reason) ?? String(cause);
    for (const slot of left) this.#emit(slot, 'error', reason);
  }

  #observe(
    options: IntersectionObserverInit,
    see: (slot: Slot, entry: IntersectionObserverEntry) => void,
  ): IntersectionObserver {
    return new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = this.#slots.get(entry.target);
        if (slot) see(slot, entry);
      }
      this.#schedule();
    }, options);
  }

  #see(slot: Slot, entry: IntersectionObserverEntry): void {
    const { isIntersecting } = entry;
    if (isIntersecting !== slot.inView) {
      slot.inView = isIntersecting;
      if (!isIntersecting) fold(slot);
      // A reader who jumps back sees the old ad until the new one arrives.
      else if (this.#isOverdue(slot)) want(slot);
    }
    const half = isHalf(entry);
    if (half === slot.half) return;
    slot.half = half;
    this.#startClock(slot);
  }

  /** Starts the viewability second: the ad is new, enough of it came into view, or the page became visible. */
  readonly #startClock = (slot: Slot): void => {
    const { shown } = slot;
    clearTimeout(slot.clock);
    if (!slot.half || !shown || shown.viewed || document.hidden) return;
    slot.clock = after(VIEWABLE_AFTER, async () => {
      const file = await loadOnDemand().catch(() => undefined);
      if (slot.shown !== shown) return;
      if (slot.half && canBeSeen(slot.host) && !file?.isCovered(slot)) {
        shown.viewed = true;
        this.#counts.viewable++;
        this.#emit(slot, 'viewable');
        file?.view(this.#baseUrl, this.#transport, this.#consent, shown);
        file?.rotate(slot, () => this.refresh(slot.host));
      } else this.#startClock(slot);
    });
  };
}

function isNear({ near }: Slot): boolean {
  return !!near;
}
