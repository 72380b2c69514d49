import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { after } from './timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([25, 30, 365])('a delay of %i days does not overflow', async (days) => {
  const run = vi.fn();
  after(days * 86_400_000, run);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(24 * 86_400_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('no other file of the widget creates timers', () => {
  const files = execFileSync('git', ['grep', '-l', 'setTimeout(', '--', '*.ts', ':!*.test.ts'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  // The check runs in the page of a test, without the widget.
  expect(files.trim().split('\n')).toEqual(['check/check.ts', 'timer.ts']);
});
