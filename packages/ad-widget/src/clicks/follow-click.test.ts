import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeliveryError } from '../delivery/delivery-error.ts';
import { followClick, withdrawClicks } from './follow-click.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The clicks of a page, the tokens that were posted again, and how the API responds. */
function open(fails: () => Error | undefined) {
  const posted: string[] = [];
  const clicks = {
    baseUrl: '',
    consent: { ads: true, storage: true },
    line: 'blog',
    receipts: { posted: 0, confirmed: 0, expired: 0, refused: 0 },
    unsent: new Map<string, number>(),
    opened: 0,
    transport: {
      deliverBatch: async () => [],
      click: async (clickToken: string) => {
        posted.push(clickToken);
        const failure = fails();
        if (failure) throw failure;
      },
    },
  };
  const click = (clickToken: string, failure: Error) => {
    const ad = { slotId: 'a', format: 'BANNER', filled: true, id: '1', clickToken } as const;
    return followClick(clicks, { ad, expiresAt: Date.now() + 600_000 }, Promise.reject(failure));
  };
  return { posted, clicks, click };
}
const unavailable = (retryAfter = 0) => new DeliveryError(503, 'down', retryAfter);

test('a click whose response is 503 with Retry-After: 30 is posted again after 30 seconds, and not before', async () => {
  const { posted, clicks, click } = open(() => undefined);
  await click('token', unavailable(30_000));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(posted).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(posted).toEqual(['token']);
  expect(clicks.receipts.confirmed).toBe(1);
});

test('five waiting clicks share one delay, and all are posted at its end', async () => {
  const { posted, clicks, click } = open(() => undefined);
  const tokens = ['1', '2', '3', '4', '5'];
  for (const token of tokens) {
    await click(token, unavailable());
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(posted).toEqual([]);
  await vi.advanceTimersByTimeAsync(2500);
  expect(posted).toEqual(tokens);
  expect(clicks.receipts.confirmed).toBe(5);
});

test('while the API is down only one of the waiting clicks is posted, after increasing waits', async () => {
  const { posted, clicks, click } = open(() => unavailable());
  for (const token of ['1', '2', '3']) await click(token, unavailable());
  for (const [wait, posts] of [
    [5000, 1],
    [15_000, 2],
    [45_000, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(posted).toHaveLength(posts - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(posted).toHaveLength(posts);
  }
  expect(clicks.unsent.size).toBe(3);
});

test('after a click has arrived, the wait after a failure is five seconds again', async () => {
  const { posted, click } = open(() => undefined);
  await click('first', unavailable());
  await vi.advanceTimersByTimeAsync(5000);
  await click('second', unavailable());
  await vi.advanceTimersByTimeAsync(5000);
  expect(posted).toEqual(['first', 'second']);
});

test.each([
  [409, 'confirmed'],
  [400, 'expired'],
  [403, 'refused'],
] as const)('a click whose response is %i is %s and not posted again', async (status, outcome) => {
  const { posted, clicks, click } = open(() => undefined);
  await click('token', new DeliveryError(status, 'no'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(posted).toEqual([]);
  expect(clicks.receipts[outcome]).toBe(1);
});

test.each([
  ['a path that is blocked', new TypeError('Failed to fetch')],
  ['a key that is unknown', new DeliveryError(401, 'no such key')],
  ['a transport that refuses an expired token without a status', new Error('CLICK_TOKEN_EXPIRED')],
])('a click that cannot be posted is forgotten after ten minutes and counted as expired: %s', async (_, cause) => {
  const { posted, clicks, click } = open(() => cause);
  await click('token', cause);
  await vi.advanceTimersByTimeAsync(900_000);
  expect(clicks.receipts).toMatchObject({ confirmed: 0, expired: 1 });
  expect(clicks.unsent.size).toBe(0);
  const posts = posted.length;
  await vi.advanceTimersByTimeAsync(6 * 3_600_000);
  expect(posted).toHaveLength(posts);
});

test('a click that a service worker answers is posted again until the API confirms it', async () => {
  const offline = () => new DeliveryError(200, 'an offline page');
  let isOffline = true;
  const { posted, clicks, click } = open(() => (isOffline ? offline() : undefined));
  await click('token', offline());
  expect(posted).toEqual(['token']);
  expect([clicks.receipts.confirmed, clicks.receipts.refused, clicks.unsent.size]).toEqual([0, 0, 1]);
  isOffline = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posted).toEqual(['token', 'token']);
  expect([clicks.receipts.confirmed, clicks.unsent.size]).toEqual([1, 0]);
});

test('a click that waits is given up, and its token removed, when consent is withdrawn', async () => {
  sessionStorage.clear();
  sessionStorage.setItem('broadsheet:clicks:other 1', '1');
  const { posted, clicks, click } = open(() => undefined);
  await click('token', unavailable());
  const entries = () => Object.keys(sessionStorage).filter((name) => name.startsWith('broadsheet:clicks:blog '));
  expect(entries()).toHaveLength(1);
  Object.assign(clicks.consent, { ads: false, storage: false });
  withdrawClicks(clicks);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(posted).toEqual([]);
  expect(entries()).toEqual([]);
  expect([clicks.receipts.refused, clicks.unsent.size]).toEqual([1, 0]);
  expect(sessionStorage.getItem('broadsheet:clicks:other 1')).toBe('1');
});

test('a click whose response arrives after consent was withdrawn is not posted again', async () => {
  const { posted, clicks, click } = open(() => undefined);
  Object.assign(clicks.consent, { ads: false, storage: false });
  await click('token', new TypeError('Failed to fetch'));
  expect(posted).toEqual([]);
  expect(Object.keys(sessionStorage).filter((name) => name.endsWith('token'))).toEqual([]);
});
