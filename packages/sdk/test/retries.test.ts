import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Blog, type CallEvent, ConflictError } from '../src/index.ts';
import { client, failureOf } from './support/client.ts';
import { closedPort } from './support/closed-port.ts';
import type { Handler } from './support/listen.ts';
import { envelope, json } from './support/responses.ts';
import { sampleAd, samplePost } from './support/samples.ts';
import { deliveriesOf, serve } from './support/serve.ts';

test('a read is repeated after a 5xx, and lists its attempts', async () => {
  const server = await serve((_, response, nth) =>
    nth < 2
      ? json(response, 503, envelope(503, 'UNAVAILABLE'), { 'retry-after': '2' })
      : json(response, 200, { success: true, data: samplePost('1') }),
  );
  const slept: number[] = [];
  const events: CallEvent[] = [];
  const blog = client(server.url, {
    retry: { sleep: async (ms) => void slept.push(ms) },
    onEvent: (e) => events.push(e),
  });
  const { data, attempts, requestId } = await blog.posts.get('1').withMeta();
  expect(data.id).toBe('1');
  expect(requestId).toBe('req_1');
  expect(slept).toEqual([2000, 2000]);
  expect(attempts.map(({ code, delay }) => [code, delay])).toEqual([
    ['UNAVAILABLE', 0],
    ['UNAVAILABLE', 2000],
    [undefined, 2000],
  ]);
  expect(events.map(({ kind, attempt }) => `${kind} ${attempt}`)).toEqual([
    'request 1',
    'response 1',
    'retry 2',
    'request 2',
    'response 2',
    'retry 3',
    'request 3',
    'response 3',
  ]);
});

test('the pause has full jitter, doubles and is capped', async () => {
  const server = await serve((_, response) => json(response, 500, envelope(500, 'INTERNAL_ERROR')));
  const slept: number[] = [];
  const retry = {
    limit: 4,
    baseDelay: 100,
    maxDelay: 250,
    random: () => 0.5,
    sleep: async (ms: number) => void slept.push(ms),
  };
  await failureOf(client(server.url, { retry }).posts.get('1'));
  expect(slept).toEqual([50, 100, 125, 125]);
});

test('a call with a Retry-After beyond the limit fails immediately, and its error has the wait', async () => {
  const server = await serve((_, response) =>
    json(response, 429, envelope(429, 'RATE_LIMITED'), { 'retry-after': '3600' }),
  );
  // Without a deadline, which would end the call as well.
  const blog = client(server.url, { timeout: false });
  expect(await failureOf(blog.posts.get('1'))).toMatchObject({ retryAfter: 3_600_000, retryable: true });
  expect(server.seen).toHaveLength(1);
});

test('`retryable` of the envelope overrides the status', async () => {
  const server = await serve((_, response) =>
    json(response, 500, envelope(500, 'INTERNAL_ERROR', { retryable: false })),
  );
  await failureOf(client(server.url).posts.get('1'));
  expect(server.seen).toHaveLength(1);
});

/** The ways in which a request may fail: the response, and whether reads, clicks and deliveries are then repeated. */
const MATRIX: readonly (readonly [string, Handler, boolean, boolean])[] = [
  ...[500, 503, 429].map((status) => {
    const respond: Handler = (_, response) => json(response, status, envelope(status, 'X', { retryable: true }));
    return [`the API with ${status}, retryable`, respond, true, true] as const;
  }),
  ...[408, 502, 504].map((status) => {
    const respond: Handler = (_, response) => json(response, status, envelope(status, 'X', { retryable: true }));
    return [`an envelope with ${status}, retryable`, respond, true, false] as const;
  }),
  ...[500, 503, 429].map((status) => {
    const respond: Handler = (_, response) => json(response, status, envelope(status, 'X', { retryable: false }));
    return [`the API with ${status}, not retryable`, respond, false, false] as const;
  }),
  ...[429, 503].map((status) => {
    const respond: Handler = (_, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Busy</h1>');
    return [`a proxy with ${status}`, respond, true, true] as const;
  }),
  ...[408, 425, 500, 502, 504].flatMap((status) => {
    const html: Handler = (_, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Down</h1>');
    const words: Handler = (_, response) => json(response, status, { error: 'Down' });
    return [
      [`a proxy with ${status} and HTML`, html, true, false],
      [`a proxy with ${status} and JSON`, words, true, false],
    ] as const;
  }),
  ['a connection that is lost', (_, response) => response.destroy(), true, false],
  ['a body that is cut off', (_, response) => cut(response), true, false],
  ['JSON that is cut off', (_, response) => response.end('{"filled":'), true, false],
  ['a page of HTML with 200', (_, response) => response.end('<h1>Sign in</h1>'), false, false],
  ['a proxy with 403', (_, response) => response.writeHead(403).end('<h1>No</h1>'), false, false],
];

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' }).write('{"filled":');
  setImmediate(() => response.destroy());
}

const CALLS = {
  read: (blog: Blog) => blog.posts.get('1'),
  click: (blog: Blog) => blog.ads.click(sampleAd().clickToken),
  delivery: (blog: Blog) => blog.ads.deliver('BANNER'),
  batch: (blog: Blog) => blog.ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }]),
};

test.each(MATRIX)('after %s', async (_, respond, reads, deliveries) => {
  const server = await serve(respond);
  for (const [name, call] of Object.entries(CALLS)) {
    server.seen.length = 0;
    await failureOf(call(client(server.url)));
    const repeated = name === 'read' || name === 'click' ? reads : deliveries;
    expect(deliveriesOf(server), name).toHaveLength(repeated ? 3 : 1);
  }
});

/** A server that counts a delivery once for each key, as the API does, and loses the responses to some requests. */
const counting = (accepts: boolean, lost: readonly number[], lose: (response: ServerResponse) => unknown) => {
  const keys: string[] = [];
  const asked: string[] = [];
  const respond: Handler = ({ url, body }, response) => {
    const asks = url.endsWith('/tracking/impression');
    if (asks) asked.push(url);
    else keys.push(new URL(url, 'http://x').searchParams.get('idempotencyKey') ?? '');
    if (!asks && lost.includes(keys.length - 1)) return void lose(response);
    const slots = body ? (JSON.parse(body) as { slots: object[] }).slots : undefined;
    const results = slots?.map((slot) => ({ ...slot, filled: false })) ?? { filled: false };
    json(response, 200, asks ? { status: 'ok' } : results, accepts ? { 'idempotency-accepted': 'true' } : {});
  };
  return { keys, asked, respond };
};

const LOSSES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'a lost connection': (response) => response.destroy(),
  'a body that is cut off': cut,
  'a 502 of a proxy': (response) => response.writeHead(502).end('<h1>Down</h1>'),
  'a 504 of a proxy': (response) => response.writeHead(504).end('<h1>Late</h1>'),
};

describe.each(Object.entries(LOSSES))('after %s a delivery', (_, lose) => {
  test.each(['delivery', 'batch'] as const)(
    'is repeated with its key, if the server accepts keys: %s',
    async (name) => {
      const { keys, asked, respond } = counting(true, [1], lose);
      const blog = client((await serve(respond)).url);
      for (let nth = 0; nth < 3; nth++) await CALLS[name](blog);
      expect(keys).toEqual([keys[0], keys[1], keys[1], keys[3]]);
      // The number of keys that the server saw is the number of impressions, and equals the number of deliveries.
      expect(new Set(keys).size).toBe(3);
      for (const key of keys) expect(key).toMatch(/^[\w-]{16,64}$/);
      expect(asked).toEqual([]); // the first response has said so
    },
  );

  test('is repeated once the server has been asked, if no response has said yet that it accepts keys', async () => {
    const { keys, asked, respond } = counting(true, [0, 1], lose);
    expect(await CALLS.delivery(client((await serve(respond)).url))).toEqual({ filled: false });
    expect([keys.length, new Set(keys).size, asked.length]).toEqual([3, 1, 1]);
  });

  test('is not repeated if the server knows no keys, and the error says so', async () => {
    const unknown = counting(false, [0], lose);
    const first = await failureOf(CALLS.delivery(client((await serve(unknown.respond)).url)));
    expect(first).toMatchObject({ attempts: [{}], retryable: true, mayRepeat: false });
    expect([unknown.keys.length, unknown.asked.length]).toEqual([1, 1]);
    const known = counting(false, [1], lose);
    const blog = client((await serve(known.respond)).url);
    await CALLS.delivery(blog);
    expect(await failureOf(CALLS.delivery(blog))).toMatchObject({ attempts: [{}], mayRepeat: false });
    expect([known.keys.length, known.asked.length]).toEqual([2, 0]);
  });
});

test('the latest response decides whether the server accepts keys, for example after a rollback', async () => {
  let accepts = true;
  let loses = false;
  const server = await serve((_, response) => {
    if (loses) return void response.destroy();
    json(response, 200, { filled: false }, accepts ? { 'idempotency-accepted': 'true' } : {});
  });
  const blog = client(server.url);
  await CALLS.delivery(blog);
  accepts = false;
  await CALLS.delivery(blog);
  loses = true;
  expect(await failureOf(CALLS.delivery(blog))).toMatchObject({ attempts: [{}] });
  expect(server.seen).toHaveLength(3);
});

test('clients that with() creates share the knowledge about keys, unless they call another API', async () => {
  const lose = LOSSES['a lost connection'] as (response: ServerResponse) => unknown;
  const { asked, keys, respond } = counting(true, [1, 3], lose);
  const { url } = await serve(respond);
  const blog = client(url);
  await CALLS.delivery(blog.with({ timeout: 1000 }));
  await CALLS.delivery(blog);
  expect([keys.length, asked.length]).toEqual([3, 0]);
  await CALLS.delivery(blog.with({ apiKey: 'another' }));
  expect([keys.length, asked.length]).toEqual([5, 1]);
});

test('a delivery during an outage is sent again when the API is back, and counted once', async () => {
  let down = true;
  const keys: string[] = [];
  const server = await serve(({ url }, response) => {
    if (!url.endsWith('/tracking/impression')) keys.push(url);
    if (down) return void response.destroy();
    const body = url.endsWith('/tracking/impression') ? { status: 'ok' } : { filled: false };
    json(response, 200, body, { 'idempotency-accepted': 'true' });
  });
  let waits = 0;
  const sleep = async (): Promise<void> => {
    waits++;
    down = waits < 3;
  };
  const blog = client(server.url, { retry: { limit: 4, sleep } });
  expect(await CALLS.delivery(blog)).toEqual({ filled: false });
  expect(new Set(keys).size).toBe(1);
  expect(server.seen.map(({ url }) => url.split('?')[0]?.split('/').at(-1))).toEqual([
    ...['BANNER', 'impression', 'impression', 'impression', 'BANNER'],
  ]);
});

test('a delivery is not repeated after nine minutes, when the server may have forgotten its key', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { keys, respond } = counting(true, [1], (response) => response.destroy());
  const server = await serve(respond);
  const sleep = async (): Promise<void> => void vi.setSystemTime(Date.now() + 9 * 60_000); // the lid was closed
  const blog = client(server.url, { retry: { sleep } });
  await CALLS.delivery(blog);
  expect(await failureOf(CALLS.delivery(blog))).toMatchObject({ attempts: [{}], mayRepeat: false });
  expect(keys).toHaveLength(2);
});

test('acceptsKeys() sends a request that has no effect', async () => {
  const { ads } = client((await serve(counting(true, [], () => {}).respond)).url);
  expect(await ads.acceptsKeys()).toBe(true);
  const old = client((await serve(counting(false, [], () => {}).respond)).url);
  expect(await old.ads.acceptsKeys()).toBe(false);
  expect(await failureOf(client(await closedPort()).ads.acceptsKeys())).toMatchObject({ code: 'NETWORK_ERROR' });
});

test('a caller may pass the key to repeat a delivery itself', async () => {
  const { keys, respond } = counting(true, [], () => {});
  const { ads } = client((await serve(respond)).url);
  const idempotencyKey = 'page-view-0000000001';
  await ads.deliver('BANNER', { idempotencyKey });
  await ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }], { idempotencyKey });
  expect(keys).toEqual([idempotencyKey, idempotencyKey]);
});

describe('mayRepeat says whether the same call may be made again without counting anything twice', () => {
  test.each<[string, Handler, boolean]>([
    ['a 503 of the API', (_, response) => json(response, 503, envelope(503, 'UNAVAILABLE')), true],
    ['a 503 of a proxy', (_, response) => response.writeHead(503).end('<h1>Busy</h1>'), true],
    ['a 504 of a proxy', (_, response) => response.writeHead(504).end('<h1>Late</h1>'), false],
    ['a 502 in an envelope', (_, response) => json(response, 502, envelope(502, 'X', { retryable: true })), false],
    ['a lost connection', (_, response) => response.destroy(), false],
    ['a wrong key', (_, response) => json(response, 401, envelope(401, 'UNAUTHORIZED')), false],
    ['no response in time', () => {}, false],
  ])('a delivery that ended with %s: %#', async (_, respond, expected) => {
    const { url } = await serve(respond);
    const error = await failureOf(CALLS.delivery(client(url, { timeout: 300 })));
    expect(error).toMatchObject({ mayRepeat: expected });
  });

  test('a refused connection after a lost response does not make the delivery uncounted', async () => {
    const lost = new TypeError('fetch failed');
    const refused = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
    let nth = 0;
    const fetch = async (url: string): Promise<Response> => {
      if (url.includes('/tracking/'))
        return Response.json({ status: 'ok' }, { headers: { 'idempotency-accepted': 'true' } });
      throw nth++ === 0 ? lost : refused;
    };
    const error = await failureOf(CALLS.delivery(client('https://blog.example', { fetch })));
    expect(error).toMatchObject({ attempts: [{}, {}, {}], retryable: true, mayRepeat: false });
  });

  test('a read or click that failed for a while may be repeated', async () => {
    const { url } = await serve((_, response) => response.destroy());
    for (const call of [CALLS.read, CALLS.click]) {
      expect(await failureOf(call(client(url)))).toMatchObject({ mayRepeat: true });
    }
  });
});

test('request() sends no idempotency key and is not repeated after a lost response', async () => {
  const { keys, respond } = counting(true, [1], (response) => response.destroy());
  const blog = client((await serve(respond)).url);
  await CALLS.delivery(blog);
  expect(await failureOf(blog.request('POST', '/public/notes', { body: {} }))).toMatchObject({ attempts: [{}] });
  expect(keys).toHaveLength(2);
});

test('after a refused connection every call is repeated, since nothing can have been counted', async () => {
  const url = await closedPort();
  for (const call of Object.values(CALLS)) {
    expect(await failureOf(call(client(url)))).toMatchObject({ attempts: [{}, {}, {}] });
  }
});

test.each([1, 2])('a 409 after %i lost responses to a click is a success', async (lost) => {
  const server = await serve((_, response, nth) =>
    nth < lost ? response.destroy() : json(response, 409, envelope(409, 'CLICK_TOKEN_USED')),
  );
  const result = await client(server.url).ads.click(sampleAd().clickToken).withMeta();
  expect(result).toMatchObject({ data: { status: 'ok' }, replayed: true });
  expect(result.attempts).toHaveLength(lost + 1);
});

test('a 409 on the first attempt is a conflict', async () => {
  const server = await serve((_, response) => json(response, 409, envelope(409, 'CLICK_TOKEN_USED')));
  expect(await failureOf(client(server.url).ads.click(sampleAd().clickToken))).toBeInstanceOf(ConflictError);
});

test('after a cut response, a post is requested again, but not an ad, which may have been counted', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"filled":');
    setTimeout(() => response.destroy(), 10);
  });
  const blog = client(server.url);
  expect(await failureOf(blog.ads.deliver('BANNER'))).toMatchObject({ code: 'RESPONSE_CUT', attempts: [{}] });
  expect(await failureOf(blog.posts.get('1'))).toMatchObject({ code: 'RESPONSE_CUT', attempts: [{}, {}, {}] });
});

test('a wait beyond the deadline is not started: the call fails with the error of the server', async () => {
  const server = await serve((_, response) =>
    json(response, 429, envelope(429, 'RATE_LIMITED'), { 'retry-after': '20' }),
  );
  const error = await failureOf(client(server.url, { timeout: 10_000 }).posts.get('1'));
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 20_000, attempts: [{}] });
  expect(server.seen).toHaveLength(1);
});

test('every attempt carries the headers of the client and of the call', async () => {
  const server = await serve((_, response) => json(response, 503, envelope(503, 'UNAVAILABLE')));
  const blog = client(server.url, { headers: { 'x-site': 'a' }, retry: 1 });
  await failureOf(blog.posts.get('1', { headers: { 'x-own': 'b' } }));
  const own = { 'x-site': 'a', 'x-own': 'b' };
  expect(server.seen.map(({ headers }) => headers)).toMatchObject([own, own]);
});
