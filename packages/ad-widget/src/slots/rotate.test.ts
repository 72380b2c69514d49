import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rotate } from './rotate.ts';
import type { Slot } from './slot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function slot(refresh: string): Slot {
  const host = document.createElement('broadsheet-slot');
  host.setAttribute('refresh', refresh);
  return { host, slotId: 'a', format: 'BANNER', key: '', state: 'filled', wanted: false };
}

test.each([
  ['5', 30],
  ['60', 60],
])('refresh="%s" replaces the ad after %i seconds', (refresh, seconds) => {
  const renew = vi.fn();
  rotate(slot(refresh), renew);
  vi.advanceTimersByTime(seconds * 1000 - 1);
  expect(renew).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(renew).toHaveBeenCalledOnce();
});

test.each(['0', '-5', 'often', '2592000'])('refresh="%s" does not replace the ad within a day', (refresh) => {
  const renew = vi.fn();
  rotate(slot(refresh), renew);
  vi.advanceTimersByTime(86_400_000);
  expect(renew).not.toHaveBeenCalled();
});

test('the ad of a removed slot is not replaced', () => {
  const renew = vi.fn();
  const removed = slot('60');
  rotate(removed, renew);
  removed.gone = true;
  vi.advanceTimersByTime(60_000);
  expect(renew).not.toHaveBeenCalled();
});
