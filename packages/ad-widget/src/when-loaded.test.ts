import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenLoaded } from './when-loaded.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a file whose server was down for hours is loaded within five minutes after it is back', async () => {
  let isDown = true;
  const load = vi.fn(async () => {
    if (isDown) throw new TypeError('Failed to fetch dynamically imported module');
    return 'file';
  });
  const use = vi.fn();
  whenLoaded(load, use);
  await vi.advanceTimersByTimeAsync(3 * 3_600_000);
  expect(load.mock.calls.length).toBeLessThan(50);
  isDown = false;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(use).toHaveBeenCalledExactlyOnceWith('file');
});

test('a file is loaded a second after the browser is online again', async () => {
  const load = vi.fn(async () => 'file').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const use = vi.fn();
  whenLoaded(load, use);
  await vi.advanceTimersByTimeAsync(100);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(use).toHaveBeenCalledExactlyOnceWith('file');
});
