import { expect, test, vi } from 'vitest';
import { Deadline } from './deadline.ts';

const call = { endpoint: 'posts.get', url: 'https://blog.example/public/posts/1' } as const;

test('work that would begin after the end is not begun', async () => {
  const caller = new AbortController();
  const deadline = new Deadline(call, false, caller.signal);
  caller.abort();
  const work = vi.fn(async () => 'late');
  await expect(deadline.race(work)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(work).not.toHaveBeenCalled();
});

test('an end during the work ends it, although the work goes on', async () => {
  const caller = new AbortController();
  const deadline = new Deadline(call, false, caller.signal);
  deadline.progress.phase = 'body';
  const result = deadline.race(() => new Promise(() => {}));
  caller.abort('enough');
  await expect(result).rejects.toMatchObject({ code: 'ABORTED', phase: 'body', cause: 'enough' });
  expect(deadline.signal.aborted).toBe(true);
});

test.each(['connect', 'body', 'wait', 'parse'] as const)('a timeout in the phase %s names it', async (phase) => {
  const deadline = new Deadline(call, 1);
  deadline.progress = { phase };
  const result = deadline.race(() => new Promise(() => {}));
  await expect(result).rejects.toMatchObject({ code: 'TIMEOUT', phase, retryable: true });
  await expect(result).rejects.toThrow(`posts.get: timed out after 1 ms, in the phase "${phase}". (${call.url})`);
});

test('a timeout of 0 is over at once; `false` disables it', () => {
  expect(new Deadline(call, 0).over).toMatchObject({ code: 'TIMEOUT', phase: 'connect' });
  expect(new Deadline(call, false).left).toBe(Number.POSITIVE_INFINITY);
});

test('a time longer than a timer can count is not over at once', () => {
  vi.useFakeTimers();
  try {
    const deadline = new Deadline(call, 2 ** 40);
    vi.advanceTimersByTime(60_000);
    expect(deadline.over).toBeUndefined();
    deadline.release();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
