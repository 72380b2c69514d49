import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../context.ts';
import type { Slot } from '../slots/slot.ts';
import { type Delivery, KEY_TTL, newDelivery } from './delivery.ts';
import { createRecovery } from './recovery.ts';

// It probes the API with requests that fake timers never end.
vi.mock('../advice/advice.ts', () => ({ advise: async () => undefined }));

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A slot whose delivery got no response, and the deliveries that are sent until the API has been back for ten minutes. */
async function outage(minutes: number, change?: (slot: Slot) => void): Promise<readonly [Delivery, Delivery[], Slot]> {
  let isUp = false;
  const sent: Delivery[] = [];
  const acceptsKeys = async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return true;
  };
  const schedule = (): void => {
    const next = recovery.next();
    if (next) sent.push(next);
  };
  const context = { baseUrl: '', emit() {}, schedule, transport: { acceptsKeys } } as unknown as Context;
  const maySend = (slots: readonly Slot[], since = Date.now()) => slots.length > 0 && Date.now() - since < KEY_TTL;
  const recovery = createRecovery(context, { maySend, resume() {} }, () => {});
  const slot = {
    host: document.createElement('div'),
    slotId: 'a',
    format: 'BANNER',
    state: 'failed',
  } as unknown as Slot;
  const delivery = newDelivery([slot]);
  await recovery.failed(delivery, [slot], new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
  expect(sent).toEqual([]);
  isUp = true;
  change?.(slot);
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  return [delivery, sent, slot];
}

test('after a short outage the delivery is sent again with its key', async () => {
  const [delivery, sent] = await outage(3);
  expect(sent).toEqual([delivery]);
});

test.each([12, 60, 8 * 60])(
  'after %i minutes the slot gets another delivery, once, when the API is back',
  async (minutes) => {
    const [delivery, sent, slot] = await outage(minutes);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.key).not.toBe(delivery.key);
    expect([sent[0]?.slots, slot.delivery]).toEqual([[slot], sent[0]]);
  },
);

test.each<[string, (slot: Slot) => void]>([
  [
    'has gone',
    (slot) => {
      slot.gone = true;
    },
  ],
  ['has another delivery', (slot) => newDelivery([slot])],
])('after a long outage nothing is sent for a slot that %s', async (_, change) => {
  const [, sent] = await outage(12, change);
  expect(sent).toEqual([]);
});
