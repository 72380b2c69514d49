import { afterEach, expect, test, vi } from 'vitest';
import { DeliveryError, failureOf, statusOf } from './delivery-error.ts';
import { fetchTransport } from './fetch-transport.ts';

const respondWith = (body: unknown, status = 200) => vi.fn(async () => new Response(JSON.stringify(body), { status }));
const options = { idempotencyKey: 'a-key-of-this-test', retry: 0 } as const;
const slots = [{ slotId: 'a', format: 'BANNER' as const }];

afterEach(() => void vi.unstubAllGlobals());

test('a click is sent before anything is awaited, with the key, without cookies', () => {
  const fetch = respondWith({ status: 'ok' });
  vi.stubGlobal('fetch', fetch);
  void fetchTransport('https://blog.example/api/', 'KEY').click('token', { keepalive: true });
  expect(fetch).toHaveBeenCalledWith('https://blog.example/api/public/ads/tracking/click', {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    headers: { 'X-API-Key': 'KEY', 'Content-Type': 'application/json' },
    body: '{"clickToken":"token"}',
    signal: expect.any(AbortSignal),
  });
});

test("an error carries the status and the API's message", async () => {
  vi.stubGlobal('fetch', respondWith({ success: false, error: { message: 'No such key' } }, 401));
  const refused = fetchTransport('/api', 'KEY').deliverBatch(slots, options);
  await expect(refused).rejects.toMatchObject({ status: 401, message: expect.stringContaining('No such key') });
  await expect(refused).rejects.toBeInstanceOf(DeliveryError);
});

test('an error for a response whose body is cut off has no status', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async () => new Response(body));
  const broken = await fetchTransport('/api', 'KEY')
    .deliverBatch(slots, options)
    .catch((cause: unknown) => cause);
  expect(statusOf(broken)).toBe(0);
});

test.each([[[]], [{ filled: true }], [null]])('%j is not a valid response for one slot', async (body) => {
  vi.stubGlobal('fetch', respondWith(body));
  await expect(fetchTransport('/api', 'KEY').deliverBatch(slots, options)).rejects.toThrow('a result for each slot');
});

test('a result names where its ad is reported as viewable', async () => {
  const headers = { 'Broadsheet-Viewable': '/measure/viewable' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify([{ ...slots[0], filled: false }]), { headers }));
  const results = await fetchTransport('/api', 'KEY').deliverBatch(slots, options);
  expect(results).toEqual([{ ...slots[0], filled: false, viewableUrl: '/measure/viewable' }]);
});

test.each([
  [{ 'Idempotency-Accepted': 'true' }, true],
  [{}, false],
] as const)(
  'an API accepts keys if its response to the call without effect has the right headers: %j, %s',
  async (headers, yes) => {
    const fetch = vi.fn(async () => new Response('{"status":"ok"}', { headers }));
    vi.stubGlobal('fetch', fetch);
    expect(await fetchTransport('https://blog.example', 'KEY').acceptsKeys?.()).toBe(yes);
    expect(fetch).toHaveBeenCalledWith('https://blog.example/public/ads/tracking/impression', expect.anything());
  },
);

const foreign: readonly [string, () => Response][] = [
  ['an offline page of a service worker', () => new Response('<h1>You are offline</h1>')],
  ['nothing', () => new Response('')],
  ['a failure with status 200', () => Response.json({ success: false, error: { code: 'X' } })],
  ['JSON that is cut off', () => new Response('{"status":"o')],
  ['an empty object', () => Response.json({})],
  ['another status', () => Response.json({ status: 'OK' })],
  ['null', () => Response.json(null)],
  ['text', () => Response.json('ok')],
  ['a list', () => Response.json([])],
  ['an object with a length', () => Response.json({ length: 1, 0: { filled: false } })],
];

test.each(foreign)('a 200 with %s is not a response of the API, for any request', async (_, respond) => {
  vi.stubGlobal('fetch', async () => respond());
  const transport = fetchTransport('/api', 'KEY');
  for (const call of [
    () => transport.click('token', { keepalive: true }),
    () => transport.acceptsKeys?.(),
    () => transport.deliverBatch(slots, options),
  ]) {
    const cause = await Promise.resolve(call()).then(
      () => 'accepted',
      (error: unknown) => error,
    );
    expect(cause).toBeInstanceOf(DeliveryError);
    // Like a lost response, it says nothing about what the API did.
    expect([failureOf(cause), (cause as DeliveryError).mayRepeat]).toEqual([0, false]);
  }
});
