import type { Ads, AdsOptions } from './ads.ts';
import { type Context, newState } from './context.ts';
import { fetchTransport } from './delivery/fetch-transport.ts';
import { DeliveryQueue } from './delivery/queue.ts';
import { type AdEventType, type AdListener, callPage, type Emit } from './events.ts';
import { onDemand } from './load-on-demand.ts';
import { SlotFinder } from './slots/finder.ts';
import { clear, requestSoon } from './slots/lifecycle.ts';
import { Watcher } from './slots/watcher.ts';
import { after } from './timer.ts';
import { whenLoaded } from './when-loaded.ts';

/** Milliseconds after which a page is most likely idle. */
const CALM = 1000;

/** The ads of one key: connects the finder of its slots, their watcher and the queue of its deliveries. */
export class Client implements Ads {
  readonly client: string;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<readonly [AdEventType, AdListener]>();
  readonly #context: Context;
  readonly #finder: SlotFinder;
  readonly #watcher: Watcher;
  readonly #queue: DeliveryQueue;

  constructor(options: AdsOptions) {
    const { baseUrl, apiKey, client = '', consent = true } = options;
    const { signal } = this.#stop;
    this.client = client;
    this.#context = {
      ...newState(),
      baseUrl,
      client,
      line: baseUrl + apiKey,
      transport: options.transport ?? fetchTransport(baseUrl, apiKey),
      signal,
      emit: this.#emit,
      schedule: () => this.#queue.schedule(),
    };
    this.#watcher = new Watcher(this.#context, options);
    this.#queue = new DeliveryQueue(this.#context, this.#watcher);
    this.#finder = new SlotFinder(this.#context, this.#watcher, this.#queue);
    // The file also contains the code for clicks and failures, and it opens the storage, which may read from disk.
    after(CALM, () =>
      onDemand(({ Clock }) => {
        this.#watcher.clock = new Clock(this.#context, this);
      }),
    );
    const loadPlatform = () => import('./consent/consent-platform.ts');
    if (consent === true) this.consent(true);
    else whenLoaded(loadPlatform, ({ ask }) => ask(consent, this.consent, signal));
    this.mount(document);
  }

  mount(root: ParentNode & Node): void {
    this.#finder.watch(root);
  }

  refresh(host?: Element): void {
    for (const slot of this.inspect()) if (!host || slot.host === host) requestSoon(slot);
    this.#queue.schedule();
  }

  readonly consent = (ads: boolean, storage = ads): void => {
    Object.assign(this.#context.consent, { ads, storage });
    this.#queue.schedule();
    this.#watcher.clock?.resumeClicks();
    if (!storage) this.#watcher.clock?.withdraw();
    if (!ads) for (const slot of this.inspect()) if (slot.open && slot.delivered) clear(slot, 'empty');
  };

  on(...listening: [AdEventType, AdListener]): () => void {
    this.#listeners.add(listening);
    return () => this.#listeners.delete(listening);
  }

  stats(): ReturnType<Ads['stats']> {
    const { counts, receipts, unsent } = this.#context;
    return { ...counts, clicks: { ...receipts, unsent: unsent.size } };
  }

  inspect() {
    return [...this.#context.slots.values()];
  }

  destroy(): void {
    this.#stop.abort();
  }

  /** Dispatches an event from the slot, which bubbles through the page, and calls this client's listeners. */
  readonly #emit: Emit = ({ slotId, format, delivered, host }, type, reason) => {
    const detail = { slotId, format, adId: delivered?.ad.id, reason };
    host.dispatchEvent(new CustomEvent(`broadsheet:${type}`, { detail, bubbles: true, composed: true }));
    for (const [wanted, listener] of this.#listeners) if (wanted === type) callPage(listener, detail, host);
  };
}
