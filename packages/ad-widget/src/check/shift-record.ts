/** What a slot did to the page around it. */
export interface SlotShift {
  /** Its name, or its markup where it has none. */
  readonly slot: string;
  /** Its part of the page's cumulative layout shift. */
  readonly shift: number;
  /** Its height before its box first changed, and now, CSS pixels. */
  readonly from: number;
  readonly to: number;
}

/** What the page says when it is asked. */
export interface ShiftRecord {
  /** Where an ad, no ad or a failure has been shown. */
  readonly answered: readonly SlotShift[];
  /** In view, and still without an answer. */
  readonly waiting: readonly string[];
}

interface Seen {
  readonly host: Element;
  box?: DOMRect;
  from?: number;
  shift: number;
  answered?: boolean;
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

/** The window of a page that is watched. */
export type WatchedWindow = Window & { __broadsheetShifts?: { read(patience: number): Promise<ShiftRecord> } };

/**
 * Runs in the page before anything else, and is sent there as text: it uses nothing from outside itself.
 *
 * The browser says which elements were moved, not by what. A slot is what moved them when its own box changed in the
 * same frame; several that did share the shift by how much they changed.
 */
export function recordShifts(): void {
  // Without that nothing would ever be found, and the check would always pass.
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
  const slots = new Map<Element, Seen>();
  const see = (host: EventTarget | undefined): void => {
    if (!(host instanceof Element) || slots.has(host)) return;
    slots.set(host, { host, shift: 0 });
    sizes.observe(host);
  };

  let frame = { since: 0, until: Number.POSITIVE_INFINITY, changes: new Map<Seen, number>() };
  const frames = [frame];
  const tick = (): void => {
    const since = performance.now();
    frame.until = since;
    if (!frame.changes.size) frames.pop();
    frame = { since, until: Number.POSITIVE_INFINITY, changes: new Map() };
    frames.push(frame);
    requestAnimationFrame(tick);
  };
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const slot = slots.get(target);
      if (!slot) continue;
      const box = target.getBoundingClientRect();
      const before = slot.box;
      slot.box = box;
      // The first report is the size it starts with. What grows below the window moves nothing in it.
      if (!before || box.top >= innerHeight) continue;
      slot.from ??= before.height;
      frame.changes.set(slot, Math.abs(box.height - before.height) + Math.abs(box.width - before.width));
    }
  });
  const blame = (entries: readonly PerformanceEntry[]): void => {
    for (const { value, hadRecentInput, startTime } of entries as readonly LayoutShift[]) {
      const changes = frames.find(({ since, until }) => since <= startTime && startTime < until)?.changes;
      if (hadRecentInput || !changes) continue;
      const sum = [...changes.values()].reduce((all, change) => all + change, 0);
      for (const [slot, change] of changes) slot.shift += sum && (value * change) / sum;
    }
  };
  const shifts = new PerformanceObserver((list) => blame(list.getEntries()));
  shifts.observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => {
    for (const host of document.querySelectorAll('broadsheet-slot,[data-broadsheet-slot]')) see(host);
  }).observe(document, { childList: true, subtree: true });
  for (const type of ['filled', 'empty', 'error']) {
    document.addEventListener(`broadsheet:${type}`, (event) => {
      const [host] = event.composedPath();
      see(host);
      const slot = host instanceof Element && slots.get(host);
      if (slot) slot.answered = true;
    });
  }
  requestAnimationFrame(tick);

  const nameOf = ({ host }: Seen): string =>
    host.getAttribute('name') || host.getAttribute('data-broadsheet-slot') || host.outerHTML.slice(0, 80);
  const isDue = ({ host, answered }: Seen): boolean => {
    const { top, bottom } = host.getBoundingClientRect();
    const popup = /popup/i.test(host.getAttribute('format') ?? host.getAttribute('data-format') ?? '');
    return !answered && !popup && host.checkVisibility() && bottom >= 0 && top < innerHeight;
  };
  (window as WatchedWindow).__broadsheetShifts = {
    async read(patience) {
      const end = performance.now() + patience;
      const due = (): Seen[] => [...slots.values()].filter(isDue);
      while (performance.now() < end && (!slots.size || due().length)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      // Two frames: what the last answer moved has been painted and reported.
      for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
      blame(shifts.takeRecords());
      const answered = [...slots.values()].filter((slot) => slot.answered);
      return {
        waiting: due().map(nameOf),
        answered: answered.map((slot) => {
          const to = slot.host.getBoundingClientRect().height;
          return { slot: nameOf(slot), shift: slot.shift, from: slot.from ?? to, to };
        }),
      };
    },
  };
}
