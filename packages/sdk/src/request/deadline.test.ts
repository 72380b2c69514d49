import { expect, test, vi } from 'vitest';
import { Deadline } from './deadline.ts';

const url = 'https://blog.example/public/posts/1';
const deadlineOf = (timeout: number | false, ...signals: AbortSignal[]) =>
  new Deadline('posts.get', url, timeout, signals);

test('work is not started after the end', async () => {
  const caller = new AbortController();
  const deadline = deadlineOf(false, caller.signal);
  caller.abort();
  const work = vi.fn(async () => 'late');
  await expect(deadline.race(work)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(work).not.toHaveBeenCalled();
});

test('the end settles the race although the work continues', async () => {
  const caller = new AbortController();
  const deadline = deadlineOf(false, caller.signal);
  deadline.progress.phase = 'body';
  const result = deadline.race(() => new Promise(() => {}));
  caller.abort('enough');
  await expect(result).rejects.toMatchObject({ code: 'ABORTED', phase: 'body', cause: 'enough' });
  expect(deadline.signal.aborted).toBe(true);
});

test.each(['connect', 'body', 'wait', 'parse'] as const)('a timeout in the phase %s names it', async (phase) => {
  const deadline = deadlineOf(1);
  deadline.progress = { phase };
  const result = deadline.race(() => new Promise(() => {}));
  await expect(result).rejects.toMatchObject({ code: 'TIMEOUT', phase, retryable: true });
  await expect(result).rejects.toThrow(`posts.get: timed out after 1 ms, in the phase "${phase}". (${url})`);
});

test('a timeout of 0 is over at once; `false` disables it', () => {
  expect(deadlineOf(0).over).toMatchObject({ code: 'TIMEOUT', phase: 'connect' });
  expect(deadlineOf(false).left).toBe(Number.POSITIVE_INFINITY);
});

test('a timeout longer than 2^31 ms does not expire immediately', () => {
  vi.useFakeTimers();
  try {
    const deadline = deadlineOf(2 ** 40);
    vi.advanceTimersByTime(60_000);
    expect(deadline.over).toBeUndefined();
    deadline.release();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
