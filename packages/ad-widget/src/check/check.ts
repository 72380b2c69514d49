/** The effect of a slot on the page around it. */
export interface SlotShift {
  /** Its name, or its markup if it has none. */
  readonly slot: string;
  /** Its part of the page's cumulative layout shift. */
  readonly shift: number;
  /** Its height in CSS pixels, before its box first changed and now. */
  readonly from: number;
  readonly to: number;
}

/** An entry of the browser about elements that moved. */
export interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources?: readonly { readonly node?: Node | null }[];
}

type Read = (patience: number) => Promise<readonly SlotShift[] | undefined>;

/** The part of a Playwright page (in Chromium) that is used here. */
export interface CheckedPage {
  addInitScript(script: { content: string }): Promise<unknown>;
  evaluate(read: Read, patience: number): ReturnType<Read>;
}

/** What {@link watchShifts} returns. */
export interface ShiftWatch {
  /** The layout shift that each slot caused since the page was opened, once the slots in view have their responses. */
  bySlot(): Promise<readonly SlotShift[]>;
  /** @throws Error that names every slot that moved the page, by how much, and how to fix it. */
  expectNone(): Promise<void>;
}

/**
 * Finds out whether ads move a page, for a test that fails the build when they do. Call it before the page is opened:
 *
 * ```ts
 * const shifts = await watchShifts(page);
 * await page.goto('/');
 * await shifts.expectNone();
 * ```
 *
 * Use `data-mode="mock"` there, so that no impression is counted. Slots inside shadow roots of the page are not seen.
 *
 * @param patience Milliseconds the slots in view may take to get a response.
 */
export async function watchShifts(page: CheckedPage, { patience = 10_000 } = {}): Promise<ShiftWatch> {
  // Other browsers report no shifts, so the check would always pass.
  const supported = "PerformanceObserver.supportedEntryTypes.includes('layout-shift')";
  await page.addInitScript({ content: `if (${supported}) window.__broadsheetShifts = new (${ShiftRecorder})()` });

  const bySlot = async (): Promise<readonly SlotShift[]> => {
    const read: Read = async (time) =>
      (window as Window & { __broadsheetShifts?: ShiftRecorder }).__broadsheetShifts?.read(time);
    const shifts = await page.evaluate(read, patience);
    if (shifts) return shifts;
    throw new Error('layout shifts were not recorded: call watchShifts before page.goto, and run it in Chromium');
  };
  return {
    bySlot,
    async expectNone() {
      const moved = (await bySlot()).filter(({ shift }) => shift > 0);
      if (moved.length) throw new Error(moved.map(describe).join('\n'));
    },
  };
}

function describe({ slot, shift, from, to }: SlotShift): string {
  return `slot "${slot}" moved the page: layout shift ${shift.toFixed(3)}, its height went from ${Math.round(from)} to ${Math.round(to)} px; link broadsheet.css in the head, or give the slot a height of its own`;
}

interface Seen {
  readonly host: Element;
  box?: DOMRect;
  from?: number;
  shift: number;
  responded?: boolean;
}

/**
 * Runs in the page before anything else. It is sent there as source text, so it uses nothing from outside the class.
 *
 * The browser reports which elements moved, not what moved them. A slot is blamed if its own box changed in the same
 * frame; if several did, they share the shift in proportion to their changes.
 */
class ShiftRecorder {
  readonly #slots = new Map<Element, Seen>();
  /** When each frame began, and how much each slot changed in it. */
  readonly #frames: { readonly since: number; readonly changes: Map<Seen, number> }[] = [];
  readonly #sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) this.#resized(this.#see(target));
  });
  readonly #shifts = new PerformanceObserver((list) => this.#blame(list.getEntries()));

  constructor() {
    this.#tick();
    this.#shifts.observe({ type: 'layout-shift', buffered: true });
    new MutationObserver(() => {
      for (const host of document.querySelectorAll('broadsheet-slot,[data-broadsheet-slot]')) this.#see(host);
    }).observe(document, { childList: true, subtree: true });
    for (const type of ['filled', 'empty', 'error']) {
      document.addEventListener(`broadsheet:${type}`, (event) => {
        const [host] = event.composedPath();
        if (host instanceof Element) this.#see(host).responded = true;
      });
    }
  }

  #tick(): void {
    this.#frames.push({ since: performance.now(), changes: new Map() });
    requestAnimationFrame(() => this.#tick());
  }

  #see(host: Element): Seen {
    const seen = this.#slots.get(host) ?? { host, shift: 0 };
    if (!this.#slots.has(host)) this.#sizes.observe(host);
    this.#slots.set(host, seen);
    return seen;
  }

  #resized(slot: Seen): void {
    const before = slot.box;
    const box = slot.host.getBoundingClientRect();
    slot.box = box;
    // The first report is the initial size. A slot that grows below the window moves nothing in view.
    if (!before || box.top >= innerHeight) return;
    slot.from ??= before.height;
    const change = Math.abs(box.height - before.height) + Math.abs(box.width - before.width);
    this.#frames.at(-1)?.changes.set(slot, change);
  }

  #blame(entries: readonly PerformanceEntry[]): void {
    for (const { value, hadRecentInput, startTime } of entries as readonly LayoutShift[]) {
      const changes = [...(this.#frames.findLast(({ since }) => since <= startTime)?.changes ?? [])];
      const sum = changes.reduce((all, [, change]) => all + change, 0);
      if (!hadRecentInput && sum) for (const [slot, change] of changes) slot.shift += (value * change) / sum;
    }
  }

  /** The slots in view without a response. A popup waits for the reader. */
  #due(): Seen[] {
    return [...this.#slots.values()].filter(({ host, responded }) => {
      const { top, bottom } = host.getBoundingClientRect();
      const isPopup = /popup/i.test(host.getAttribute('format') ?? host.getAttribute('data-format') ?? '');
      return !responded && !isPopup && host.checkVisibility() && bottom >= 0 && top < innerHeight;
    });
  }

  /** The slots that show an ad, no ad or a failure. @throws Error if there are none, or if one in view has no response */
  async read(patience: number): Promise<readonly SlotShift[]> {
    const nameOf = (host: Element): string =>
      host.getAttribute('name') || host.getAttribute('data-broadsheet-slot') || host.outerHTML.slice(0, 80);
    const end = performance.now() + patience;
    while (performance.now() < end && (!this.#slots.size || this.#due().length))
      await new Promise((resolve) => setTimeout(resolve, 50));
    // After two frames, everything that the last response moved has been painted and reported.
    for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
    this.#blame(this.#shifts.takeRecords());
    const waiting = this.#due().map(({ host }) => nameOf(host));
    if (waiting.length)
      throw new Error(`after ${patience} ms there is no response for ${waiting.join(', ')}; see the page's console`);
    const responded = [...this.#slots.values()].filter((slot) => slot.responded);
    if (!responded.length)
      throw new Error('no slot got a response: the page has no slots, or none in view; scroll to one');
    return responded.map(({ host, shift, from }) => {
      const to = host.getBoundingClientRect().height;
      return { slot: nameOf(host), shift, from: from ?? to, to };
    });
  }
}
