import { afterEach, expect, test, vi } from 'vitest';
import { DeliveryError, statusOf } from './delivery-error.ts';
import { fetchTransport } from './fetch-transport.ts';

const answer = (body: unknown, status = 200) => vi.fn(async () => new Response(JSON.stringify(body), { status }));
const slots = [{ slotId: 'a', format: 'BANNER' as const }];

afterEach(() => void vi.unstubAllGlobals());

test('a click is sent before anything is awaited, with the key, without cookies', () => {
  const fetch = answer({ status: 'ok' });
  vi.stubGlobal('fetch', fetch);
  void fetchTransport('https://blog.example/api/', 'KEY').click('token', { keepalive: true });
  expect(fetch).toHaveBeenCalledWith('https://blog.example/api/public/ads/tracking/click', {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    headers: { 'X-API-Key': 'KEY', 'Content-Type': 'application/json' },
    body: '{"clickToken":"token"}',
  });
});

test("an error carries the status and the API's message", async () => {
  vi.stubGlobal('fetch', answer({ success: false, error: { message: 'No such key' } }, 401));
  const refused = fetchTransport('/api', 'KEY').deliver(slots);
  await expect(refused).rejects.toMatchObject({ status: 401, message: expect.stringContaining('No such key') });
  await expect(refused).rejects.toBeInstanceOf(DeliveryError);
});

test('an error for a response whose body is cut off has no status', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async () => new Response(body));
  const broken = await fetchTransport('/api', 'KEY')
    .deliver(slots)
    .catch((cause: unknown) => cause);
  expect(statusOf(broken)).toBe(0);
});

test.each([[[]], [{ filled: true }], [null]])('%j is not a valid response for one slot', async (body) => {
  vi.stubGlobal('fetch', answer(body));
  await expect(fetchTransport('/api', 'KEY').deliver(slots)).rejects.toThrow('a result for each slot');
});
