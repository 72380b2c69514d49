import type { Slot } from '../slots/slot.ts';
import { isDisplayed, pageIsSeen } from '../slots/visibility.ts';
import { type Delivered, deliveredNow } from './creative.ts';
import { MAX_SLOTS } from './limits.ts';
import { isPassing, statusOf, type Transport } from './transport.ts';

/** Milliseconds until a slot that may not be seen yet (faded out, for instance) is looked at again. */
const LOOK_AGAIN = 500;
/** Milliseconds before a failed delivery is repeated; each further time four times as long. */
const RETRY = 3000;
const MAX_FAILURES = 3;
/** Pixels a millisecond: at this pace what is within 1000 px below the viewport is in it within a second. */
const FAST = 1;
/** A page that went this fast was not scrolled but jumped, and has arrived. */
const JUMP = 9;

/** The request under way for each API and key. On the document, so that all clients and copies of this file share it. */
const LINES = Symbol.for('broadsheet.lines');

interface DeliveryPorts {
  /** Names the API and the key: one request at a time for each. */
  readonly line: string;
  readonly transport: Transport;
  readonly slots: ReadonlyMap<Element, Slot>;
  /** An ad that was bought before, or that the server sent with the page. */
  stored(slot: Slot): Delivered | undefined;
  consented(): boolean;
  /** The answer is there: an ad, or none. The slot may be gone. */
  settle(slot: Slot, delivered: Delivered | undefined): void;
  failed(slots: readonly Slot[], cause: unknown): void;
}

/**
 * Decides when ads are asked for. An impression is counted when the API delivers, so nothing is asked for that nobody
 * can see. The slots of one frame share a request of at most 20, and only one is under way for a key: ads do not repeat
 * within a request, so fuller requests mean fewer repeated ads.
 */
export function createDeliveries(ports: DeliveryPorts, signal: AbortSignal) {
  const { line, transport, slots } = ports;
  const page: { [LINES]?: Map<string, Promise<void>> } = document as object;
  page[LINES] ??= new Map();
  const lines = page[LINES];
  const counts = { requests: 0, asked: 0 };
  let due = false;
  // Where the page stood when slots were looked at last, and when that was.
  let place: number;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // An observer reports the slots of a frame together and right after layout: asked for in the same task, they are one
  // request, and looking whether they are displayed computes no style anew.
  const schedule = (): void => {
    if (!due) queueMicrotask(flush);
    due = true;
  };
  const want = (slot: Slot): void => {
    slot.wanted = true;
    schedule();
  };
  const lookAgain = (): void => {
    clearTimeout(timer);
    timer = setTimeout(schedule, LOOK_AGAIN);
  };

  function flush(): void {
    due = false;
    if (signal.aborted || !pageIsSeen() || !ports.consented()) return;
    const busy = lines.get(line);
    if (busy) return void busy.then(schedule);
    const open = [...slots.values()].filter(({ wanted }) => wanted);
    // Where the page stands is asked for only then: the answer takes a layout.
    if (!open.length) return;
    const pace = (scrollY - place) / (performance.now() - since);
    place = scrollY;
    since = performance.now();
    const asked = open
      .filter(
        ({ near, soon, host }) => (near || (soon && pace > FAST && pace < JUMP)) && (isDisplayed(host) || lookAgain()),
      )
      .filter((slot) => {
        const stored = ports.stored(slot);
        if (stored) accept(slot, stored);
        return !stored;
      })
      .slice(0, MAX_SLOTS);
    if (!asked.length) return;
    const free = (): void => {
      lines.delete(line);
      schedule();
    };
    lines.set(line, ask(asked).then(free));
  }

  async function ask(asked: readonly Slot[]): Promise<void> {
    counts.requests++;
    counts.asked += asked.length;
    for (const slot of asked) slot.state = 'asked';
    try {
      const results = await transport.deliver(asked.map(({ slotId, format }) => ({ slotId, format })));
      // Matched by position: a page may give two slots one name.
      for (const [index, slot] of asked.entries()) accept(slot, deliveredNow(results[index]), results.requestId);
    } catch (cause) {
      const passing = isPassing(statusOf(cause));
      for (const slot of asked) {
        slot.wanted = false;
        if (passing && ++slot.failures < MAX_FAILURES) {
          setTimeout(want, RETRY * 4 ** (slot.failures - 1), slot);
        }
      }
      ports.failed(asked, cause);
    }
  }

  function accept(slot: Slot, delivered: Delivered | undefined, requestId?: Slot['requestId']): void {
    const start = performance.now();
    slot.requestId = requestId;
    slot.wanted = false;
    slot.failures = 0;
    try {
      ports.settle(slot, delivered);
    } catch (cause) {
      // A host that takes no shadow root, for instance. The others of the request get theirs.
      ports.failed([slot], cause);
    }
    slot.busy = performance.now() - start;
  }

  return { schedule, want, counts };
}
