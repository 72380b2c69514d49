import { type Delivered, deliveredNow } from './creative.ts';
import { isDisplayed, pageIsSeen } from './gate.ts';
import { MAX_SLOTS } from './limits.ts';
import type { Slot } from './slot.ts';
import { statusOf, type Transport } from './transport.ts';

/** Milliseconds until a slot that may not be seen yet (faded out, for instance) is looked at again. */
const LOOK_AGAIN = 500;
/** Milliseconds before a failed delivery is repeated; each further time four times as long. */
const RETRY = 3000;
const MAX_FAILURES = 3;

/** The request under way for each API and key. On the document, so that all clients and copies of this file share it. */
const LINES = Symbol.for('broadsheet.lines');
const linesOf = (page: { [LINES]?: Map<string, Promise<void>> }): Map<string, Promise<void>> => {
  page[LINES] ??= new Map();
  return page[LINES];
};

interface DeliveryPorts {
  /** Names the API and the key: one request at a time for each. */
  readonly line: string;
  readonly transport: Transport;
  readonly slots: ReadonlyMap<Element, Slot>;
  /** An ad that was bought before, or that the server sent with the page. */
  stored(slot: Slot): Delivered | undefined;
  consented(): boolean;
  filled(slot: Slot, delivered: Delivered): void;
  empty(slot: Slot): void;
  failed(slots: readonly Slot[], cause: unknown): void;
}

/**
 * Decides when ads are asked for. An impression is counted when the API delivers, so nothing is asked for that nobody
 * can see. The slots of one frame share a request of at most 20, and only one is under way for a key: ads do not repeat within a
 * request, so fuller requests mean fewer repeated ads.
 */
export function createDeliveries(ports: DeliveryPorts, signal: AbortSignal) {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lines = linesOf(document as object);
  const counts = { requests: 0, asked: 0 };

  const schedule = (): void => {
    // A hidden or prerendered page gets no frame in Chromium; elsewhere `flush` looks itself.
    if (!frame && !signal.aborted) frame = requestAnimationFrame(flush);
  };
  signal.addEventListener('abort', () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  });

  function flush(): void {
    frame = 0;
    if (signal.aborted || !pageIsSeen() || !ports.consented()) return;
    const busy = lines.get(ports.line);
    if (busy) return void busy.then(schedule);
    const wanting = [...ports.slots.values()].filter((slot) => slot.wanted && slot.near);
    const ready = wanting.filter(({ host }) => isDisplayed(host));
    if (ready.length < wanting.length) {
      clearTimeout(timer);
      timer = setTimeout(schedule, LOOK_AGAIN);
    }
    const asked = ready.filter((slot) => {
      const stored = ports.stored(slot);
      if (stored) accept(slot, stored);
      return !stored;
    });
    if (asked.length) {
      const free = (): void => {
        lines.delete(ports.line);
        schedule();
      };
      lines.set(ports.line, ask(asked.slice(0, MAX_SLOTS)).then(free));
    }
  }

  async function ask(asked: readonly Slot[]): Promise<void> {
    counts.requests++;
    counts.asked += asked.length;
    for (const slot of asked) slot.state = 'asked';
    try {
      const results = await ports.transport.deliver(asked.map(({ slotId, format }) => ({ slotId, format })));
      if (signal.aborted) return;
      // Matched by position: a page may give two slots one name.
      for (const [index, slot] of asked.entries()) accept(slot, deliveredNow(results[index]));
    } catch (cause) {
      if (!signal.aborted) fail(asked, cause);
    }
  }

  function accept(slot: Slot, delivered: Delivered | undefined): void {
    slot.wanted = false;
    slot.failures = 0;
    if (delivered) ports.filled(slot, delivered);
    else ports.empty(slot);
  }

  function fail(asked: readonly Slot[], cause: unknown): void {
    const status = statusOf(cause) ?? 500;
    const passing = status >= 500 || status === 429;
    for (const slot of asked) {
      slot.wanted = false;
      if (passing && ++slot.failures < MAX_FAILURES) {
        setTimeout(
          () => {
            slot.wanted = true;
            schedule();
          },
          RETRY * 4 ** (slot.failures - 1),
        );
      }
    }
    ports.failed(asked, cause);
  }

  return { schedule, counts };
}
