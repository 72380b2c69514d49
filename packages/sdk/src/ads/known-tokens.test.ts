import { afterEach, expect, test, vi } from 'vitest';
import { sampleToken } from '../../test/support/samples.ts';
import { KnownTokens } from './known-tokens.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const token = (nth: number): string => sampleToken(1_000, 1_600, String(nth));

/** How many tokens are looked at while `work` runs. */
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

test('one more costs the same, however many there are', () => {
  const tokens = new KnownTokens();
  for (let nth = 0; nth < 9_000; nth++) tokens.remember(token(nth));
  expect(looks(() => tokens.remember(token(9_000)))).toBe(1);
});

test('those that are over go, and no more than 10,000 stay', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokens = new KnownTokens();
  tokens.remember(token(0));
  vi.advanceTimersByTime(599_000);
  tokens.remember(token(1));
  expect(tokens.get(token(0))).toBeDefined();
  vi.advanceTimersByTime(1_000);
  tokens.remember(token(2));
  expect([0, 1, 2].map((nth) => tokens.get(token(nth)) !== undefined)).toEqual([false, true, true]);
  for (let nth = 3; nth < 10_002; nth++) tokens.remember(token(nth));
  expect([1, 2, 10_001].map((nth) => tokens.get(token(nth)) !== undefined)).toEqual([false, true, true]);
});

/** A token whose claims are these. */
const claiming = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
const NOW = Date.parse('2026-01-31T09:00:00Z');

test.each<[string, string, number]>([
  ['both ends of its life', claiming({ iat: 1_000, exp: 1_300 }), 300],
  ['its end alone, for who issues it need not say when', claiming({ exp: 1_600 }), 600],
  ['no end', claiming({ iat: 1_000 }), 600],
  ['its end as a text', claiming({ iat: 1_000, exp: '1300' }), 600],
  [
    'claims with letters that base64url writes in its own way',
    claiming({ iat: 1_000, exp: 1_300, n: '~~>>??~~' }),
    300,
  ],
  ['nothing, being no JWT', 'opaque', 600],
  ['nothing, being empty JSON', 'e30.bnVsbA.sig', 600],
])('a token that says %s lives from the moment it came', (_, text, seconds) => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  expect(new KnownTokens().remember(text).expiresAt).toBe(NOW + seconds * 1000);
});
