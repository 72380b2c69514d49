/** What a slot did to the page around it. */
export interface SlotShift {
  /** Its name, or its markup if it has none. */
  readonly slot: string;
  /** Its part of the page's cumulative layout shift. */
  readonly shift: number;
  /** Its height before its box first changed, and now, CSS pixels. */
  readonly from: number;
  readonly to: number;
}

/** What has been recorded in the page. */
export interface ShiftRecord {
  /** Slots that show an ad, no ad or a failure. */
  readonly responded: readonly SlotShift[];
  /** Slots in view that are still without a response. */
  readonly waiting: readonly string[];
}

interface Seen {
  readonly host: Element;
  box?: DOMRect;
  from?: number;
  shift: number;
  responded?: boolean;
}

export interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources?: readonly { readonly node?: Node | null }[];
}

export type WatchedWindow = Window & { __broadsheetShifts?: ShiftRecorder };

/**
 * Runs in the page before anything else. It is sent there as source text, so it uses nothing from outside the class.
 *
 * The browser reports which elements moved, not what moved them. A slot is blamed if its own box changed in the same
 * frame; if several did, they share the shift in proportion to their changes.
 */
export class ShiftRecorder {
  readonly #slots = new Map<Element, Seen>();
  #frame = { since: 0, until: Number.POSITIVE_INFINITY, changes: new Map<Seen, number>() };
  readonly #frames = [this.#frame];
  readonly #sizes = new ResizeObserver((entries) => this.#resized(entries));
  readonly #shifts = new PerformanceObserver((list) => this.#blame(list.getEntries()));

  constructor() {
    this.#shifts.observe({ type: 'layout-shift', buffered: true });
    new MutationObserver(() => {
      for (const host of document.querySelectorAll('broadsheet-slot,[data-broadsheet-slot]')) this.#see(host);
    }).observe(document, { childList: true, subtree: true });
    for (const type of ['filled', 'empty', 'error']) {
      document.addEventListener(`broadsheet:${type}`, (event) => {
        const [host] = event.composedPath();
        const slot = host instanceof Element && this.#see(host);
        if (slot) slot.responded = true;
      });
    }
    requestAnimationFrame(() => this.#tick());
  }

  #see(host: Element): Seen {
    const seen = this.#slots.get(host) ?? { host, shift: 0 };
    if (!this.#slots.has(host)) this.#sizes.observe(host);
    this.#slots.set(host, seen);
    return seen;
  }

  #tick(): void {
    this.#frame.until = performance.now();
    if (!this.#frame.changes.size) this.#frames.pop();
    this.#frame = { since: this.#frame.until, until: Number.POSITIVE_INFINITY, changes: new Map() };
    this.#frames.push(this.#frame);
    requestAnimationFrame(() => this.#tick());
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    for (const { target } of entries) {
      const slot = this.#see(target);
      const box = target.getBoundingClientRect();
      const before = slot.box;
      slot.box = box;
      // The first report is the initial size. A slot that grows below the window moves nothing in view.
      if (!before || box.top >= innerHeight) continue;
      slot.from ??= before.height;
      this.#frame.changes.set(slot, Math.abs(box.height - before.height) + Math.abs(box.width - before.width));
    }
  }

  #blame(entries: readonly PerformanceEntry[]): void {
    for (const { value, hadRecentInput, startTime } of entries as readonly LayoutShift[]) {
      const changes = this.#frames.find(({ since, until }) => since <= startTime && startTime < until)?.changes;
      if (hadRecentInput || !changes) continue;
      const sum = [...changes.values()].reduce((all, change) => all + change, 0);
      for (const [slot, change] of changes) slot.shift += sum && (value * change) / sum;
    }
  }

  #due(): Seen[] {
    return [...this.#slots.values()].filter(({ host, responded }) => {
      const { top, bottom } = host.getBoundingClientRect();
      const popup = /popup/i.test(host.getAttribute('format') ?? host.getAttribute('data-format') ?? '');
      return !responded && !popup && host.checkVisibility() && bottom >= 0 && top < innerHeight;
    });
  }

  async read(patience: number): Promise<ShiftRecord> {
    const nameOf = (host: Element): string =>
      host.getAttribute('name') || host.getAttribute('data-broadsheet-slot') || host.outerHTML.slice(0, 80);
    const end = performance.now() + patience;
    while (performance.now() < end && (!this.#slots.size || this.#due().length))
      await new Promise((resolve) => setTimeout(resolve, 50));
    // Two frames: what the last response moved has been painted and reported.
    for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
    this.#blame(this.#shifts.takeRecords());
    const responded = [...this.#slots.values()].flatMap(({ host, shift, from, responded }) => {
      const to = host.getBoundingClientRect().height;
      return responded ? [{ slot: nameOf(host), shift, from: from ?? to, to }] : [];
    });
    return { waiting: this.#due().map(({ host }) => nameOf(host)), responded };
  }
}
