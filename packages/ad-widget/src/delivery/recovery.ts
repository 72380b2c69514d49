import { advise } from '../advice/advice.ts';
import type { Context } from '../context.ts';
import type { Slot } from '../slots/slot.ts';
import { backOff } from './backoff.ts';
import { type Delivery, KEY_TTL, newDelivery } from './delivery.ts';
import { failureOf } from './delivery-error.ts';

/** The methods of the queue that recovery uses; `resume` lets it send deliveries again. */
interface Queue {
  maySend(slots: readonly Slot[], since?: number): boolean;
  resume(): void;
}

/**
 * Decides what happens after deliveries that failed. If nothing was counted, ads are requested again after a wait, and
 * nothing is requested until then. If the response was lost, the delivery may have been counted: after a wait the API is
 * asked whether it counts deliveries with the same key once, and only then it is sent again, with its key. Other slots go
 * on in the meantime.
 */
export function createRecovery(context: Context, queue: Queue, settled: (slot: Slot) => void) {
  const { baseUrl, emit, schedule, transport } = context;
  const lost = new Set<Delivery>();
  /** Whether the wait of the lost deliveries is over. */
  let isDue = false;
  /** Whether the API has said, since the last failure, that it accepts keys. */
  let isAccepted = false;

  const wait = (cause: unknown): void => {
    isAccepted = isDue = false;
    backOff(lost, cause, () => {
      isDue = true;
      schedule();
    });
  };

  const ask = async (): Promise<void> => {
    try {
      isAccepted = isDue = !!(await transport.acceptsKeys?.());
      if (!isAccepted) lost.clear();
    } catch (cause) {
      if (isPassing(cause)) wait(cause);
      else lost.clear();
    }
    schedule();
  };

  return {
    /** @param slots The slots that still wait for the delivery. */
    async failed(delivery: Delivery, slots: readonly Slot[], cause: unknown): Promise<void> {
      const again = mayRepeat(cause) && !delivery.lost;
      if (again) {
        for (const slot of slots) slot.wanted = true;
        backOff(queue, cause, () => queue.resume());
      } else queue.resume();
      const reason = await advise(baseUrl, cause);
      for (const slot of slots) {
        if (slot.gone) continue;
        emit(slot, 'error', reason ?? String(cause));
        settled(slot);
      }
      if (again || !transport.acceptsKeys || !isPassing(cause) || reason === 'blocked') return;
      delivery.lost = true;
      lost.add(delivery);
      wait(cause);
    },

    /** Takes the next lost delivery that may be sent again now. */
    next(): Delivery | undefined {
      for (const delivery of lost) {
        const next = whileKnown(delivery);
        if (next.slots.length === 0) lost.delete(delivery);
        else if (isDue && queue.maySend(next.slots, next.since)) {
          if (isAccepted) {
            lost.delete(delivery);
            return next === delivery ? delivery : newDelivery(next.slots);
          }
          isDue = false;
          void ask();
        }
      }
      return undefined;
    },
  };
}

/**
 * A lost delivery, while the API knows its key. A key that has run out ends its delivery, but not the slots that still
 * wait for it: they get another one once the API responds.
 */
function whileKnown(delivery: Delivery): Pick<Delivery, 'slots'> & Partial<Pick<Delivery, 'since'>> {
  const { slots, since } = delivery;
  if (Date.now() - since < KEY_TTL) return delivery;
  return { slots: slots.filter((slot) => slot.delivery === delivery && !slot.gone) };
}

const mayRepeat = (cause: unknown): boolean => !!(cause as { mayRepeat?: boolean } | null | undefined)?.mayRepeat;

/** Whether the same request may get another response later. */
function isPassing(cause: unknown): boolean {
  const status = failureOf(cause);
  return !status || status === 408 || status >= 500 || mayRepeat(cause);
}
