import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Blog, type CallEvent, ConflictError } from '../src/index.ts';
import { envelope, json } from './support/answers.ts';
import { client, failureOf } from './support/client.ts';
import { closedPort } from './support/closed-port.ts';
import type { Answer } from './support/listen.ts';
import { sampleAd, samplePost } from './support/samples.ts';
import { serve } from './support/serve.ts';

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

test('a Retry-After beyond the limit fails immediately and is on the error', async () => {
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

/** How a request may fail: what responds, and whether reads and clicks, and deliveries, are then repeated. */
const MATRIX: readonly (readonly [string, Answer, boolean, boolean])[] = [
  ...[500, 503, 429].map((status) => {
    const answer: Answer = (_, response) => json(response, status, envelope(status, 'X', { retryable: true }));
    return [`the API with ${status}, retryable`, answer, true, true] as const;
  }),
  ...[408, 502, 504].map((status) => {
    const answer: Answer = (_, response) => json(response, status, envelope(status, 'X', { retryable: true }));
    return [`an envelope with ${status}, retryable`, answer, true, false] as const;
  }),
  ...[500, 503, 429].map((status) => {
    const answer: Answer = (_, response) => json(response, status, envelope(status, 'X', { retryable: false }));
    return [`the API with ${status}, not retryable`, answer, false, false] as const;
  }),
  ...[429, 503].map((status) => {
    const answer: Answer = (_, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Busy</h1>');
    return [`a proxy with ${status}`, answer, true, true] as const;
  }),
  ...[408, 425, 500, 502, 504].flatMap((status) => {
    const html: Answer = (_, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Down</h1>');
    const words: Answer = (_, response) => json(response, status, { error: 'Down' });
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

test.each(MATRIX)('after %s', async (_, answer, reads, deliveries) => {
  const server = await serve(answer);
  for (const [name, call] of Object.entries(CALLS)) {
    server.seen.length = 0;
    await failureOf(call(client(server.url)));
    const repeated = name === 'read' || name === 'click' ? reads : deliveries;
    expect(server.seen, name).toHaveLength(repeated ? 3 : 1);
  }
});

/** A server that counts a delivery once for each key, as the API does, and loses the response to one request. */
const counting = (accepts: boolean, lost: number, lose: (response: ServerResponse) => unknown) => {
  const keys: string[] = [];
  const answer: Answer = ({ url, body }, response, nth) => {
    keys.push(new URL(url, 'http://x').searchParams.get('idempotencyKey') ?? '');
    if (nth === lost) {
      lose(response);
      return;
    }
    const slots = body ? (JSON.parse(body) as { slots: object[] }).slots : undefined;
    const results = slots?.map((slot) => ({ ...slot, filled: false })) ?? { filled: false };
    json(response, 200, results, accepts ? { 'idempotency-accepted': 'true' } : {});
  };
  return { keys, answer };
};

const LOSSES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'a lost connection': (response) => response.destroy(),
  'a body that is cut off': cut,
  'a 502 of a proxy': (response) => response.writeHead(502).end('<h1>Down</h1>'),
  'a 504 of a proxy': (response) => response.writeHead(504).end('<h1>Late</h1>'),
};

test.each(Object.entries(LOSSES))(
  'after %s a delivery is repeated with its key once the server has accepted one',
  async (_, lose) => {
    for (const deliver of [CALLS.delivery, CALLS.batch]) {
      const { keys, answer } = counting(true, 1, lose);
      const server = await serve(answer);
      const blog = client(server.url);
      await deliver(blog);
      await deliver(blog);
      await deliver(blog);
      expect(keys).toEqual([keys[0], keys[1], keys[1], keys[3]]);
      // Impressions are the keys that the server saw: as many as there were deliveries.
      expect(new Set(keys).size).toBe(3);
      for (const key of keys) expect(key).toMatch(/^[\w-]{16,64}$/);
    }
  },
);

test.each(Object.entries(LOSSES))(
  'after %s a delivery is not repeated by a client that has not seen a server accept a key',
  async (_, lose) => {
    const first = counting(true, 0, lose);
    expect(await failureOf(CALLS.delivery(client((await serve(first.answer)).url)))).toMatchObject({ attempts: [{}] });
    const never = counting(false, 1, lose);
    const blog = client((await serve(never.answer)).url);
    await CALLS.delivery(blog);
    expect(await failureOf(CALLS.delivery(blog))).toMatchObject({ attempts: [{}] });
    expect([first.keys.length, never.keys.length]).toEqual([1, 2]);
  },
);

test('request() sends no idempotency key and is not repeated after a lost response', async () => {
  const { keys, answer } = counting(true, 1, (response) => response.destroy());
  const blog = client((await serve(answer)).url);
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

test('after a cut response, an ad is not requested again, since its impression may be counted; a post is', async () => {
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
