import { expect, test, vi } from 'vitest';
import { Shared, Signal } from './shared.ts';

/** Work that the test ends, and how often it was begun. */
function pending() {
  const ends: ((text: string) => void)[] = [];
  const begin = (): Promise<string> => new Promise((resolve) => ends.push(resolve));
  return { begin, ends };
}
const forever = (): Promise<never> => new Promise(() => {});
const never = (): Signal => new Signal();

test('every caller gets the result', async () => {
  const { begin, ends } = pending();
  const shared = new Shared(begin);
  const both = Promise.all([shared.join(never()), shared.join(never())]);
  ends[0]?.('done');
  expect(await both).toEqual(['done', 'done']);
});

test('a caller whose signal is aborted is rejected at once, although the work goes on', async () => {
  const [first, second] = [new Signal(), new Signal()];
  const shared = new Shared(forever);
  const waiting = [shared.join(first), shared.join(second)] as const;
  first.abort('mine');
  await expect(waiting[0]).rejects.toBe('mine');
  expect(shared.signal.aborted).toBe(false);
  second.abort('last');
  await expect(waiting[1]).rejects.toBe('last');
  expect([shared.signal.aborted, shared.signal.reason]).toEqual([true, 'last']);
});

test('a signal is aborted once, and names the work that the caller waits for', async () => {
  const signal = new Signal();
  const waiting = new Shared(forever, 'parse').join(signal);
  expect(signal.work?.phase).toBe('parse');
  signal.abort('first');
  signal.abort('second');
  await expect(waiting).rejects.toBe('first');
  expect([signal.aborted, signal.reason]).toEqual([true, 'first']);
});

test('a caller whose signal was aborted before is rejected at once', async () => {
  const shared = new Shared(forever);
  void shared.join(never());
  const caller = new Signal();
  caller.abort('before');
  await expect(shared.join(caller)).rejects.toBe('before');
  expect(shared.signal.aborted).toBe(false);
});

test('the failure of work that nobody waits for is not an unhandled rejection', async () => {
  let fail: (reason: Error) => void = () => {};
  const shared = new Shared(() => new Promise((_, reject) => (fail = reject)));
  const caller = new Signal();
  const waiting = shared.join(caller);
  caller.abort('left');
  await expect(waiting).rejects.toBe('left');
  fail(new Error('late')); // vitest fails the run for an unhandled rejection
  await new Promise((resolve) => setTimeout(resolve));
});

test('equal work is joined while it is younger than the limit, and begun again after that', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { begin, ends } = pending();
    const table = new Map<string, Shared<string>>();
    const find = (key: string): Shared<string> => Shared.find(table, key, 1000, begin);
    const first = find('a');
    vi.advanceTimersByTime(999);
    expect(find('a')).toBe(first);
    expect(find('b')).not.toBe(first);
    vi.advanceTimersByTime(1);
    const second = find('a');
    expect(second).not.toBe(first);
    expect(find('a')).toBe(second);
    expect(ends).toHaveLength(3);
    ends[0]?.('old');
    await first.join(never());
    expect(table.get('a')).toBe(second); // the older one does not remove it
  } finally {
    vi.useRealTimers();
  }
});

test('work that is over, or was aborted, is not joined', async () => {
  const { begin, ends } = pending();
  const table = new Map<string, Shared<string>>();
  const find = (): Shared<string> => Shared.find(table, 'a', Number.POSITIVE_INFINITY, begin);
  const done = find();
  ends[0]?.('done');
  await done.join(never());
  expect(table.size).toBe(0);
  const caller = new Signal();
  const aborted = find();
  const waiting = aborted.join(caller);
  caller.abort('left');
  await expect(waiting).rejects.toBe('left');
  expect(find()).not.toBe(aborted);
});
