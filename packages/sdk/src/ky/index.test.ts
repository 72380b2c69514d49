import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import ky, { type Options } from 'ky';
import { expect, onTestFinished, test, vi } from 'vitest';
import { client, failureOf, KEY } from '../../test/support/client.ts';
import { closedPort } from '../../test/support/closed-port.ts';
import { envelope, json } from '../../test/support/responses.ts';
import { samplePost } from '../../test/support/samples.ts';
import { deliveriesOf, serve } from '../../test/support/serve.ts';
import type { Blog, ClientOptions } from '../index.ts';
import { kyFetch } from './index.ts';

const post = { success: true, data: samplePost('1') };
const through = (url: string, instance: typeof ky, options: ClientOptions = {}): Blog =>
  client(url, { ...options, fetch: kyFetch(instance) });

/** An instance with every feature that the client has itself and that must not run twice. */
const eager = ky.create({
  retry: {
    limit: 5,
    methods: ['get', 'post'],
    statusCodes: [500, 503],
    retryOnTimeout: true,
    shouldRetry: () => true,
    delay: () => 0,
  },
  timeout: 1,
  totalTimeout: 1,
  throwHttpErrors: true,
  redirect: 'follow',
  prefix: 'https://elsewhere.example',
  baseUrl: 'https://elsewhere.example',
  searchParams: { limit: 1 },
  json: { not: 'this' },
  // The options that a hook sets would win if the hook of the adapter did not run last.
  hooks: {
    init: [
      (options: Options) =>
        void Object.assign(options, { retry: 5, timeout: 1, redirect: 'follow', throwHttpErrors: true }),
    ],
  },
});

test('hooks of the instance run once for each attempt, and its headers are sent', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0 ? json(response, 503, envelope(503, 'UNAVAILABLE')) : json(response, 200, post),
  );
  const seen: string[] = [];
  const instance = ky.create({
    headers: { 'x-site': 'mine' },
    hooks: {
      beforeRequest: [({ request }) => void seen.push(`${request.method} ${new URL(request.url).pathname}`)],
      afterResponse: [({ response }) => void seen.push(String(response.status))],
      beforeRetry: [() => void seen.push('retry of ky')],
    },
  });
  expect((await through(server.url, instance).posts.get('1')).id).toBe('1');
  expect(seen).toEqual(['GET /public/posts/1', '503', 'GET /public/posts/1', '200']);
  expect(server.seen[1]?.headers).toMatchObject({ 'x-site': 'mine', 'x-api-key': KEY });
});

test('retries, timeouts, errors and base URLs of the instance are off', async () => {
  const server = await serve(async ({ url, body }, response) => {
    if (url.startsWith('/public/tags')) return json(response, 503, envelope(503, 'UNAVAILABLE'));
    if (url.includes('/click'))
      return json(response, JSON.parse(body).clickToken === 'token' ? 200 : 400, { status: 'ok' });
    setTimeout(() => json(response, 200, post), 20);
  });
  const blog = through(server.url, eager, { retry: 2 });
  expect((await blog.posts.get('1')).id).toBe('1');
  expect(server.seen.map(({ url, body }) => url + body)).toEqual(['/public/posts/1']);
  expect(await failureOf(blog.tags.list())).toMatchObject({
    name: 'ServerError',
    code: 'UNAVAILABLE',
    attempts: [{}, {}, {}],
  });
  expect(server.seen).toHaveLength(4);
  expect(await blog.ads.click('token')).toEqual({ status: 'ok' });
});

test('an ad delivery is not repeated if its response is lost', async () => {
  const server = await serve((_, response) => response.destroy());
  const error = await failureOf(through(server.url, eager).ads.deliver('BANNER'));
  expect(error).toMatchObject({ name: 'NetworkError', attempts: [{}] });
  expect(deliveriesOf(server)).toHaveLength(1);
});

test('a redirect to another origin is refused, and so is a hook that sends the key to one', async () => {
  const other = await serve((_, response) => json(response, 200, post));
  const server = await serve((_, response) => response.writeHead(302, { location: `${other.url}/` }).end());
  expect(await failureOf(through(server.url, eager).posts.get('1'))).toMatchObject({ code: 'REDIRECT_REFUSED' });
  const astray = ky.create({ hooks: { beforeRequest: [({ request }) => new Request(other.url, request)] } });
  const error = await failureOf(through(server.url, astray, { retry: 0 }).posts.get('1'));
  expect(String(error)).toContain('where the key is not sent');
  const following = ky.create({
    hooks: { beforeRequest: [({ request }) => new Request(request, { redirect: 'follow' })] },
  });
  expect(await failureOf(through(server.url, following).posts.get('1'))).toMatchObject({ code: 'REDIRECT_REFUSED' });
  expect(other.seen).toEqual([]);
});

test('errors of ky are unwrapped, so no cause contains a request or the key', async () => {
  for (const instance of [ky, eager]) {
    const error = (await failureOf(through(await closedPort(), instance, { retry: 0 }).posts.get('1'))) as Error;
    expect(error).toMatchObject({ name: 'NetworkError', code: 'NETWORK_ERROR', cause: { name: 'TypeError' } });
    expect(error.cause).not.toHaveProperty('request');
    expect(String(error)).toContain('ECONNREFUSED');
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('SECRET');
  }
});

test('a refused connection is recognized, so that a delivery is repeated', async () => {
  const error = await failureOf(through(await closedPort(), ky).ads.deliver('BANNER'));
  expect(error).toMatchObject({ attempts: [{}, {}, {}] });
});

test('the deadline of the client ends a request of ky, while it waits and while it reads', async () => {
  const silent = await serve(() => {});
  const stalled = await serve((_, response) => void response.writeHead(200).write('{'));
  expect(await failureOf(through(silent.url, ky, { timeout: 100 }).posts.get('1'))).toMatchObject({
    code: 'TIMEOUT',
    phase: 'connect',
  });
  expect(await failureOf(through(stalled.url, ky, { timeout: 1000 }).posts.get('1'))).toMatchObject({
    code: 'TIMEOUT',
    phase: 'body',
  });
});

test('the connection that ky opened is closed when a call ends', async () => {
  let closed = 0;
  const silent = await serve((_, response) => void response.on('close', () => closed++));
  await failureOf(through(silent.url, ky, { timeout: 100, retry: 0 }).posts.get('1'));
  await expect.poll(() => closed).toBe(1);
});

test('the fetch of the instance is called, and receives the options of Next.js', async () => {
  const fetch = vi.fn(async (_request: Request | URL | string, _init?: RequestInit) => Response.json(post));
  const blog = through('https://blog.example', ky.create({ fetch }), { nextTags: true });
  await blog.posts.get('1', { fetchOptions: { next: { revalidate: 60 } } });
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    next: { revalidate: 60, tags: ['posts', 'post:1'] },
    redirect: 'manual',
  });
});

test('headers of the client and of the call take precedence over those of the instance', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const instance = ky.create({ headers: { accept: 'text/html', 'x-site': 'instance', 'x-team': 'news' } });
  await through(server.url, instance).posts.get('1', { headers: { 'x-site': 'call' } });
  expect(server.seen[0]?.headers).toMatchObject({ accept: 'application/json', 'x-site': 'call', 'x-team': 'news' });
});

test.each([
  ['instance', AbortSignal.any],
  ['call', AbortSignal.any],
  // Firefox 115 lacks it.
  ['instance', undefined],
  ['call', undefined],
] as const)('the signal of the %s ends a call that has both, with AbortSignal.any = %s', async (which, any) => {
  const { any: own } = AbortSignal;
  if (!any) Reflect.deleteProperty(AbortSignal, 'any');
  onTestFinished(() => void Object.assign(AbortSignal, { any: own }));
  const silent = await serve(() => {});
  const ends = { instance: new AbortController(), call: new AbortController() };
  const blog = through(silent.url, ky.create({ signal: ends.instance.signal }), { retry: 0 });
  const failed = failureOf(blog.posts.get('1', { signal: ends.call.signal }));
  await expect.poll(() => silent.seen.length).toBe(1);
  ends[which].abort(new Error('the page was left'));
  expect(await failed).toMatchObject({ cause: { message: 'the page was left' } });
});

test.each([AbortSignal.any, undefined])(
  'calls leave no listeners on the signal of the instance, with AbortSignal.any = %s',
  async (any) => {
    const { any: own } = AbortSignal;
    if (!any) Reflect.deleteProperty(AbortSignal, 'any');
    onTestFinished(() => void Object.assign(AbortSignal, { any: own }));
    const server = await serve((_, response) => json(response, 200, post));
    const { signal } = new AbortController();
    const blog = through(server.url, ky.create({ signal }));
    for (let nth = 0; nth < 3; nth++) await blog.posts.get('1');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  },
);

test('an error of a hook is the cause', async () => {
  const own = new RangeError('not today');
  const broken = ky.create({
    hooks: {
      beforeRequest: [
        () => {
          throw own;
        },
      ],
    },
  });
  const error = await failureOf(through('https://blog.example', broken, { retry: 0 }).posts.get('1'));
  expect((error as Error).cause).toBe(own);
});
