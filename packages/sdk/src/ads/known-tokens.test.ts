import { afterEach, expect, test, vi } from 'vitest';
import { sampleToken } from '../../test/support/samples.ts';
import { type KnownToken, remember } from './known-tokens.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const token = (nth: number): string => sampleToken(1_000, 1_600, String(nth));

/** The number of tokens that are examined while `work` runs. */
function looks(work: () => void): number {
  let count = 0;
  const iterate = Map.prototype[Symbol.iterator];
  const spy = vi.spyOn(Map.prototype, Symbol.iterator).mockImplementation(function* (this: Map<unknown, unknown>) {
    for (const entry of { [Symbol.iterator]: () => iterate.call(this) }) {
      count++;
      yield entry;
    }
  } as typeof iterate);
  work();
  spy.mockRestore();
  return count;
}

test('remembering a token takes constant time', () => {
  const tokens = new Map<string, KnownToken>();
  for (let nth = 0; nth < 9_000; nth++) remember(tokens, token(nth), true);
  expect(looks(() => remember(tokens, token(9_000), true))).toBe(1);
});

test('expired tokens are removed, and at most 10,000 stay', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokens = new Map<string, KnownToken>();
  remember(tokens, token(0), true);
  vi.advanceTimersByTime(599_000);
  remember(tokens, token(1), true);
  expect(tokens.get(token(0))).toBeDefined();
  vi.advanceTimersByTime(1_000);
  remember(tokens, token(2), true);
  expect([0, 1, 2].map((nth) => tokens.get(token(nth)) !== undefined)).toEqual([false, true, true]);
  for (let nth = 3; nth < 10_002; nth++) remember(tokens, token(nth), true);
  expect([1, 2, 10_001].map((nth) => tokens.get(token(nth)) !== undefined)).toEqual([false, true, true]);
});
