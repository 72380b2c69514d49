import { answered, request, type Slot } from '../slots/slot.ts';
import { canBeSeen } from '../slots/visibility.ts';
import { type Delivered, deliveredNow } from './creative.ts';
import { MAX_SLOTS } from './limits.ts';
import { isExpired } from './pool.ts';
import { retryLater } from './retry-later.ts';
import { isPassing, statusOf } from './status.ts';
import type { Transport } from './transport.ts';

/** Milliseconds until a slot that cannot be seen yet (faded out, for instance) is looked at again. */
const LOOK_AGAIN = 500;

/** The request under way for each API and key. On the document, so that all clients and copies of this file share it. */
const LINES = Symbol.for('broadsheet.lines');

interface DeliveryPorts {
  /** Names the API and the key: one request at a time for each. */
  readonly line: string;
  readonly transport: Transport;
  readonly slots: ReadonlyMap<Element, Slot>;
  /** The reader will get to it. */
  reaches(slot: Slot): boolean;
  consented(): boolean;
  /** An ad that was bought before and that nobody has seen, or that the server sent with the page. */
  stored(slot: Slot): Delivered | undefined;
  /** The answer is there: an ad, or none. The slot may be gone. */
  settle(slot: Slot, delivered: Delivered | undefined): void;
  /** There is no answer; `again` when it is asked for again later. */
  failed(slots: readonly Slot[], cause: unknown, again: boolean): void;
}

/**
 * Decides when ads are bought. An impression is counted when the API delivers, so none is asked for that nobody can see.
 * Slots that are due together share a request of at most 20, and only one is under way for a key: ads do not repeat
 * within a request, so fuller requests mean fewer repeated ads.
 */
export function createDeliveries(ports: DeliveryPorts) {
  const { line, transport, slots } = ports;
  const page: { [LINES]?: Map<string, Promise<void>> } = document as object;
  page[LINES] ??= new Map();
  const lines = page[LINES];
  const counts = { requests: 0, requested: 0, bought: 0 };
  let due = false;
  let paused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // An observer reports the slots of a frame together and right after layout: looked at in the same task, they are one
  // request, and whether they are displayed computes no style anew.
  const schedule = (): void => {
    if (!due) queueMicrotask(look);
    due = true;
  };
  const resume = (): void => {
    paused = false;
    schedule();
  };
  const lookAgain = (): void => {
    clearTimeout(timer);
    timer = setTimeout(schedule, LOOK_AGAIN);
  };

  function look(): void {
    due = false;
    if (document.hidden || !ports.consented()) return;
    const busy = lines.get(line);
    if (busy) return void busy.then(schedule);
    const requested = [...slots.values()]
      .filter((slot) => isDue(slot) && ports.reaches(slot) && (canBeSeen(slot.host) || lookAgain()))
      .filter((slot) => {
        const stored = ports.stored(slot);
        if (stored) settle(slot, stored);
        return !stored;
      })
      .slice(0, MAX_SLOTS);
    if (!requested.length || paused) return;
    const free = (): void => {
      lines.delete(line);
      schedule();
    };
    lines.set(line, deliver(requested).then(free));
  }

  async function deliver(requested: readonly Slot[]): Promise<void> {
    counts.requests++;
    counts.requested += requested.length;
    requested.forEach(request);
    try {
      const results = await transport.deliver(requested.map(({ slotId, format }) => ({ slotId, format })));
      // Matched by position: a page may give two slots one name.
      requested.forEach((slot, index) => {
        const delivered = deliveredNow(results[index]);
        if (delivered) counts.bought++;
        settle(slot, delivered, results.requestId);
      });
    } catch (cause) {
      const again = isPassing(statusOf(cause));
      if (again) {
        paused = true;
        retryLater(cause, resume);
      }
      ports.failed(requested, cause, again);
    }
  }

  function settle(slot: Slot, delivered: Delivered | undefined, requestId?: Slot['requestId']): void {
    const start = performance.now();
    try {
      ports.settle(slot, delivered);
    } catch (cause) {
      // A host that takes no shadow root, for instance. The others of the request get theirs.
      ports.failed([slot], cause, false);
    }
    answered(slot, requestId, start);
  }

  return { schedule, counts };
}

/** It waits for an ad, or has one to be exchanged before the reader sees it again. */
function isDue(slot: Slot): boolean {
  return slot.wanted || (!slot.view.inView && isOverdue(slot));
}

/** Its ad can no longer be clicked. */
export function isOverdue({ shown }: Slot): boolean {
  return !!shown && isExpired(shown);
}
