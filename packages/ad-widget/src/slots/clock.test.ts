import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ads } from '../ads.ts';
import { newState } from '../context.ts';
import { Clock } from './clock.ts';
import type { Slot } from './slot.ts';

const DAY = 86_400_000;
const stop = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** A slot whose ad was viewable a moment ago. */
function viewed(refresh: string): Slot {
  const transport = { deliverBatch: async () => [], click: async () => undefined };
  const context = {
    ...{ baseUrl: '', client: '', line: '', transport, signal: stop.signal },
    ...{ emit: () => undefined, schedule: () => undefined },
    ...newState(),
  };
  const host = document.createElement('div');
  host.dataset['refresh'] = refresh;
  document.body.append(host);
  const slot: Slot = {
    host,
    // Nothing covers an element in the top layer.
    open: () => () => undefined,
    ...{ slotId: 'a', format: 'BANNER', key: '', state: 'filled', wanted: false, half: 1 },
    delivered: {
      ad: { slotId: 'a', format: 'BANNER', filled: true, id: '1', clickToken: 'token' },
      expiresAt: Date.now() + 600_000,
    },
  };
  new Clock(context, {} as Ads).start(slot);
  vi.advanceTimersByTime(1001);
  expect(slot.delivered?.viewed).toBe(true);
  return slot;
}

test.each([
  ['5', 30],
  ['60', 60],
])('refresh="%s" replaces the ad after %i seconds', (refresh, seconds) => {
  const slot = viewed(refresh);
  vi.advanceTimersByTime(seconds * 1000 - 1);
  expect(slot.wanted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(slot.wanted).toBe(true);
});

test.each(['0', '-5', 'often', '2592000'])('refresh="%s" does not replace the ad within a day', (refresh) => {
  const slot = viewed(refresh);
  vi.advanceTimersByTime(DAY);
  expect(slot.wanted).toBe(false);
});

test('an ad that something covers waits until it is uncovered', () => {
  const slot = viewed('30');
  slot.host.remove();
  vi.advanceTimersByTime(60_000);
  expect(slot.wanted).toBe(false);
  document.body.append(slot.host);
  vi.advanceTimersByTime(1001);
  expect(slot.wanted).toBe(true);
});
