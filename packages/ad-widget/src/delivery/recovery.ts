import { advise } from '../advice/advice.ts';
import type { Context } from '../context.ts';
import type { Slot } from '../slots/slot.ts';
import { backOff } from './backoff.ts';
import { type Delivery, KEY_TTL } from './delivery.ts';
import { statusOf } from './delivery-error.ts';

/** The methods of the queue that recovery uses. */
interface Queue {
  maySend(slots: readonly Slot[], since: number): boolean;
  /** Lets the queue send deliveries again. */
  resume(): void;
}

/** The methods of the watcher that recovery uses. */
interface Watcher {
  settled(slot: Slot): void;
}

/**
 * Decides what happens after deliveries that failed. If nothing was counted, ads are requested again after a wait, and
 * nothing is requested until then. If the response was lost, the delivery may have been counted: after a wait the API is
 * asked whether it counts deliveries with the same key once, and only then it is sent again, with its key. Other slots go
 * on in the meantime.
 */
export class Recovery {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #watcher: Watcher;
  readonly #lost = new Set<Delivery>();
  /** Whether the wait of the lost deliveries is over. */
  #isDue = false;
  /** Whether the API has said, since the last failure, that it accepts keys. */
  #isAccepted = false;

  constructor(context: Context, queue: Queue, watcher: Watcher) {
    this.#context = context;
    this.#queue = queue;
    this.#watcher = watcher;
  }

  /** @param slots The slots that still wait for the delivery. */
  async failed(delivery: Delivery, slots: readonly Slot[], cause: unknown): Promise<void> {
    const { baseUrl, emit, transport } = this.#context;
    const again = mayRepeat(cause) && !delivery.lost;
    if (again) {
      for (const slot of slots) slot.wanted = true;
      backOff(this.#queue, cause, () => this.#queue.resume());
    } else this.#queue.resume();
    const reason = await advise(baseUrl, cause);
    for (const slot of slots) {
      if (slot.gone) continue;
      emit(slot, 'error', reason ?? String(cause));
      this.#watcher.settled(slot);
    }
    if (again || !transport.acceptsKeys || !isPassing(cause) || reason === 'blocked') return;
    delivery.lost = true;
    this.#lost.add(delivery);
    this.#wait(cause);
  }

  /** Takes the next lost delivery that may be sent again now. */
  next(): Delivery | undefined {
    for (const delivery of this.#lost) {
      const { slots, since } = delivery;
      if (Date.now() - since >= KEY_TTL) this.#lost.delete(delivery);
      else if (this.#isDue && this.#queue.maySend(slots, since)) {
        if (this.#isAccepted) {
          this.#lost.delete(delivery);
          return delivery;
        }
        this.#isDue = false;
        void this.#ask();
      }
    }
    return undefined;
  }

  async #ask(): Promise<void> {
    const { schedule, transport } = this.#context;
    try {
      this.#isAccepted = this.#isDue = !!(await transport.acceptsKeys?.());
      if (!this.#isAccepted) this.#lost.clear();
    } catch (cause) {
      if (isPassing(cause)) this.#wait(cause);
      else this.#lost.clear();
    }
    schedule();
  }

  #wait(cause: unknown): void {
    this.#isAccepted = this.#isDue = false;
    backOff(this, cause, () => {
      this.#isDue = true;
      this.#context.schedule();
    });
  }
}

const mayRepeat = (cause: unknown): boolean => !!(cause as { mayRepeat?: boolean } | null | undefined)?.mayRepeat;

/** Whether the same request may get another response later. */
function isPassing(cause: unknown): boolean {
  const status = statusOf(cause);
  return !status || status === 408 || status >= 500 || mayRepeat(cause);
}
