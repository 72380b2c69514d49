import { expect, onTestFinished, test, vi } from 'vitest';
import type { AdSlot } from '../src/index.ts';
import { client, failureOf } from './support/client.ts';
import { envelope, json } from './support/responses.ts';
import { sampleAd, sampleToken } from './support/samples.ts';
import { serve } from './support/serve.ts';

const slots = (count: number): AdSlot[] =>
  Array.from({ length: count }, (_, index) => ({ slotId: `s${index}`, format: 'BANNER' as const }));

const filling = () =>
  serve(({ url, body }, response) => {
    if (url.endsWith('/click')) return json(response, 200, { status: 'ok' });
    const request = JSON.parse(body) as { slots: AdSlot[] };
    json(
      response,
      200,
      request.slots.map((slot) => ({ ...slot, ...sampleAd(slot.slotId) })),
    );
  });

test('a double click posts once', async () => {
  const server = await filling();
  const blog = client(server.url);
  const [placement] = await blog.ads.place(slots(1));
  const responses = await Promise.all([
    placement?.click(),
    placement?.click(),
    blog.ads.click(placement?.ad?.clickToken ?? ''),
  ]);
  expect(responses).toEqual([{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }]);
  expect(server.seen.map(({ url }) => url.split('?')[0])).toEqual([
    '/public/ads/formats',
    '/public/ads/tracking/click',
  ]);
  expect(placement?.ad?.expiresAt).toBeGreaterThan(Date.now() + 590_000);
});

test('a token that another process delivered is also sent only once', async () => {
  const server = await filling();
  const { ads } = client(server.url);
  const { clickToken } = sampleAd();
  expect(await Promise.all([ads.click(clickToken), ads.click(clickToken)])).toEqual(Array(2).fill({ status: 'ok' }));
  expect(await ads.click(clickToken)).toEqual({ status: 'ok' });
  expect(server.seen).toHaveLength(1);
});

test('the click of a placement sends the visitor of its delivery', async () => {
  const server = await filling();
  const visitor = { origin: 'https://blog.example', ip: '203.0.113.9' };
  const [placement] = await client(server.url).ads.place(slots(1), { visitor });
  await placement?.click();
  expect(server.seen.map(({ headers }) => [headers.origin, headers['x-forwarded-for']])).toEqual([
    ['https://blog.example', '203.0.113.9'],
    ['https://blog.example', '203.0.113.9'],
  ]);
});

test('a click continues when the caller that began it gives up', async () => {
  const resolvers: ((response: Response) => void)[] = [];
  const fetch = (): Promise<Response> => new Promise((resolve) => resolvers.push(resolve));
  const { ads } = client('https://blog.example', { fetch });
  const leave = new AbortController();
  const first = failureOf(ads.click('token', { signal: leave.signal }));
  const second = ads.click('token');
  leave.abort();
  expect(await first).toMatchObject({ code: 'ABORTED' });
  resolvers[0]?.(Response.json({ status: 'ok' }));
  expect(await second).toEqual({ status: 'ok' });
  expect(resolvers).toHaveLength(1);
});

test('each click waits within its own timeout, even for a request that hangs', async () => {
  const fetch = vi.fn((): Promise<Response> => new Promise(() => {}));
  const { ads } = client('https://blog.example', { fetch });
  const leave = new AbortController();
  const patient = failureOf(ads.click('token', { timeout: false, signal: leave.signal }));
  expect(await failureOf(ads.click('token', { timeout: 20 }))).toMatchObject({ code: 'TIMEOUT' });
  expect(fetch).toHaveBeenCalledTimes(1);
  leave.abort();
  expect(await patient).toMatchObject({ code: 'ABORTED' });
});

test('a click whose response was lost counts as registered when the next one finds its token used', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0 ? response.destroy() : json(response, 409, envelope(409, 'CLICK_TOKEN_USED')),
  );
  const { ads } = client(server.url, { retry: 0 });
  expect(await failureOf(ads.click('token'))).toMatchObject({ code: 'NETWORK_ERROR' });
  expect(await ads.click('token').withMeta()).toMatchObject({ data: { status: 'ok' }, replayed: true });
  expect(await failureOf(ads.click('another'))).toMatchObject({ code: 'CLICK_TOKEN_USED' });
});

test('a result has its expiry, the URL for viewable reports, and its client', async () => {
  const server = await serve(({ url, body }, response) => {
    const results = body ? (JSON.parse(body) as { slots: AdSlot[] }).slots : [];
    const [first, ...rest] = results.map((slot) => ({ ...slot, ...sampleAd(slot.slotId) }));
    const data = url.includes('BANNER')
      ? sampleAd()
      : [first, ...rest.map(({ slotId, format }) => ({ slotId, format, filled: false }))];
    json(response, 200, data, { 'broadsheet-viewable': '/measure/viewable' });
  });
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { ads } = client(server.url);
  const known = { expiresAt: 1_600_000, viewableUrl: '/measure/viewable', client: 'cars' };
  const [top, side] = await ads.deliverBatch(slots(2), { client: 'cars' });
  expect(top).toMatchObject({ slotId: 's0', filled: true, ...known });
  expect(side).toEqual({ slotId: 's1', format: 'BANNER', filled: false, client: 'cars' });
  const ad = await ads.deliver('BANNER');
  expect(ad).toMatchObject({ filled: true, expiresAt: 1_600_000, viewableUrl: '/measure/viewable' });
  expect(ad).not.toHaveProperty('client');
});

test('a failed click can be repeated', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0 ? json(response, 403, envelope(403, 'ORIGIN_NOT_ALLOWED')) : json(response, 200, { status: 'ok' }),
  );
  const { clickToken } = sampleAd();
  const blog = client(server.url);
  expect(await failureOf(blog.ads.click(clickToken))).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
  expect(await blog.ads.click(clickToken)).toEqual({ status: 'ok' });
});

test('tokens that another client delivered are sent to the API regardless of the local clock', async () => {
  const server = await filling();
  const { ads } = client(server.url);
  for (const token of [sampleToken(1_000, 1_600), 'opaque']) expect(await ads.click(token)).toEqual({ status: 'ok' });
  expect(server.seen).toHaveLength(2);
});

test('a token that this client delivered is refused after ten minutes, before the network', async () => {
  const server = await filling();
  const { ads } = client(server.url);
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const [first, second] = await ads.place(slots(2));
  vi.setSystemTime(1_599_999);
  expect(await first?.click()).toEqual({ status: 'ok' });
  vi.setSystemTime(1_600_000);
  expect(await second?.click().safe()).toMatchObject({
    ok: false,
    error: {
      name: 'InputError',
      code: 'CLICK_TOKEN_EXPIRED',
      phase: 'input',
      endpoint: 'ads.click',
      message: expect.stringContaining('ads.click: the click token expired at 1970-01-01T00:26:40.000Z'),
    },
  });
  expect(server.seen).toHaveLength(2);
});

test('a click needs a token, which a placement without an ad does not have', async () => {
  const server = await serve(({ body }, response) => {
    const request = JSON.parse(body) as { slots: AdSlot[] };
    json(
      response,
      200,
      request.slots.map((slot) => ({ ...slot, filled: false })),
    );
  });
  const { ads } = client(server.url);
  const refused = { name: 'InputError', code: 'INVALID_INPUT', endpoint: 'ads.click' };
  const message = 'ads.click: the token must be the clickToken of a delivered ad; received "".';
  expect(await failureOf(ads.click(''))).toMatchObject({ ...refused, message });
  const [placement] = await ads.place(slots(1));
  expect(placement).toMatchObject({ slotId: 's0', format: 'BANNER', ad: undefined });
  expect(await placement?.click().safe()).toMatchObject({ ok: false, error: { ...refused, message } });
  expect(server.seen).toHaveLength(1);
});

test('an impression is sent without a body', async () => {
  const server = await serve((_, response) => json(response, 200, { status: 'ok' }));
  expect(await client(server.url).ads.impression()).toEqual({ status: 'ok' });
  expect(server.seen.map(({ url, body }) => url + body)).toEqual(['/public/ads/tracking/impression']);
});

test('a server sends the headers of its visitor', async () => {
  const server = await serve((_, response) => json(response, 200, { filled: false }));
  const own = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Reader/1', 'sec-fetch-mode': 'cors' };
  const visitor = new Request('https://blog.example/api/ad', {
    headers: { referer: 'https://blog.example/post', ...own },
  });
  await client(server.url, { trust: 1 }).ads.deliver('BANNER', { visitor });
  await client(server.url).ads.deliver('BANNER', { visitor: { origin: 'https://blog.example', ip: '2001:db8::1' } });
  expect(server.seen[0]?.headers).toMatchObject({
    referer: 'https://blog.example/post',
    'x-forwarded-for': '203.0.113.9',
    'user-agent': 'Reader/1',
  });
  expect(server.seen[1]?.headers).toMatchObject({ origin: 'https://blog.example', 'x-forwarded-for': '2001:db8::1' });
});

test('deliveries at the same time do not share a request', async () => {
  const server = await serve((_, response) => json(response, 200, { filled: false }));
  const { ads } = client(server.url);
  await Promise.all([ads.deliver('BANNER'), ads.deliver('BANNER')]);
  expect(server.seen).toHaveLength(2);
});

test('a click is sent synchronously, since the page may navigate away', () => {
  const inits: RequestInit[] = [];
  const fetch = (_: string, init: RequestInit): Promise<Response> => {
    inits.push(init);
    return Promise.resolve(Response.json({ status: 'ok' }));
  };
  client('https://blog.example', { fetch }).ads.click(sampleAd().clickToken, { keepalive: true });
  expect(inits).toMatchObject([{ method: 'POST', keepalive: true, cache: 'no-store' }]);
});

test('a click outlives its page by default', async () => {
  const kept: unknown[] = [];
  const fetch = async (_: string, { keepalive }: RequestInit): Promise<Response> => {
    kept.push(keepalive);
    return Response.json({ status: 'ok' });
  };
  const { ads } = client('https://blog.example', { fetch });
  await ads.click('one');
  await ads.click('two', { keepalive: false });
  expect(kept).toEqual([true, false]);
});

test('cache options do not apply to ads: a cached ad would be shown without being counted', async () => {
  const inits: object[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    inits.push(init);
    return Response.json(url.includes('/ads/') ? { filled: false } : { success: true, data: [] });
  };
  const caching = { cache: 'force-cache', next: { revalidate: 60 }, cf: { cacheTtl: 60 } } as const;
  const blog = client('https://blog.example', { fetch, nextTags: true, fetchOptions: { ...caching, priority: 'low' } });
  await blog.tags.list();
  await blog.ads.deliver('BANNER');
  const [content, ad] = inits;
  expect(content).toMatchObject({ ...caching, priority: 'low', next: { revalidate: 60, tags: ['tags'] } });
  expect(ad).toMatchObject({ cache: 'no-store', priority: 'low' });
  expect(ad).not.toHaveProperty('next');
  expect(ad).not.toHaveProperty('cf');
});

test('equal clicks of clients that with() makes share a request; those of another key do not', async () => {
  const server = await serve((_, response) => setTimeout(() => json(response, 200, { status: 'ok' }), 20));
  const blog = client(server.url);
  const results = await Promise.all([
    blog.ads.click('token').safe(),
    blog
      .with({ headers: { 'x-own': '1' } })
      .ads.click('token')
      .safe(),
    blog.with({}).with({ timeout: 5000 }).ads.click('token').safe(),
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(server.seen).toHaveLength(1);
  await blog.with({ apiKey: 'bsk_OTHER_0123456789' }).ads.click('token');
  expect(server.seen).toHaveLength(2);
});
