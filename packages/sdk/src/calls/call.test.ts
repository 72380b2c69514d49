import { expect, onTestFinished, test, vi } from 'vitest';
import { client, failureOf, KEY } from '../../test/support/client.ts';
import { samplePost } from '../../test/support/samples.ts';
import { type ClientOptions, createClient, type Middleware } from '../index.ts';

const url = 'https://blog.example';
const respond = (data: unknown = samplePost('1')): Response => Response.json({ success: true, data });
const hang = (): Promise<never> => new Promise(() => {});
const refuse = (): never => {
  throw new Error('not for you');
};

test('no request is started after an abort or without time left', async () => {
  const fetch = vi.fn(hang);
  const signal = AbortSignal.abort('before');
  expect(await failureOf(client(url, { fetch }).posts.get('1', { signal }))).toMatchObject({ code: 'ABORTED' });
  expect(await failureOf(client(url, { fetch, timeout: 0 }).posts.get('1'))).toMatchObject({ code: 'TIMEOUT' });
  expect(fetch).not.toHaveBeenCalled();
});

const cut = new Response(new ReadableStream({ pull: hang }));
test.each<[string, ClientOptions]>([
  ['connect', { fetch: hang }],
  ['body', { fetch: async () => cut }],
  ['wait', { fetch: () => Promise.reject(new Error('lost')), retry: { sleep: hang, baseDelay: 1 } }],
])('a timeout in the phase %s names it, although the work does not stop', async (phase, options) => {
  const error = await failureOf(createClient({ baseUrl: url, apiKey: KEY, ...options, timeout: 500 }).posts.get('1'));
  const waiting = phase === 'wait' ? ', while waiting for retry.sleep' : '';
  const message = `posts.get: timed out after 500 ms, in the phase "${phase}"${waiting}. (${url}/public/posts/1)`;
  expect(error).toMatchObject({ code: 'TIMEOUT', phase, retryable: true, message });
});

test('a timeout longer than 2^31 ms does not expire immediately, and a call leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let finish: (response: Response) => void = () => {};
  const fetch = (): Promise<Response> => new Promise((resolve) => (finish = resolve));
  const call = client(url, { fetch, timeout: 2 ** 40 }).posts.get('1');
  await vi.advanceTimersByTimeAsync(60_000);
  finish(respond());
  expect((await call).id).toBe('1');
  expect(vi.getTimerCount()).toBe(0);
});

test('a read joins an equal one only in its first second, since the connection may hang', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const responds: ((response: Response) => void)[] = [];
  const fetch = (): Promise<Response> => new Promise((resolve) => responds.push(resolve));
  const blog = client(url, { fetch, timeout: false });
  const leave = new AbortController();
  const hung = [failureOf(blog.posts.get('1', { signal: leave.signal }))];
  vi.advanceTimersByTime(999);
  hung.push(failureOf(blog.posts.get('1', { signal: leave.signal })));
  expect(responds).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const later = [blog.posts.get('1'), blog.posts.get('1')];
  expect(responds).toHaveLength(2);
  responds[1]?.(respond());
  for (const { id } of await Promise.all(later)) expect(id).toBe('1');
  leave.abort();
  for (const error of await Promise.all(hung)) expect(error).toMatchObject({ code: 'ABORTED' });
});

test('a middleware that reads the body fails the call with advice to read a clone, without a repeat', async () => {
  const reads: Middleware = async (_, next) => {
    const response = await next();
    await response.text();
    return response;
  };
  const fetch = vi.fn(async () => respond());
  const error = await failureOf(client(url, { fetch, middleware: [reads] }).posts.get('1'));
  expect(error).toMatchObject({
    name: 'CallbackError',
    message: 'posts.get: the body of the response was already read: let the middleware read a clone().',
  });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('an abort with a reason that cannot be read is an abort', async () => {
  const reason = Object.defineProperty({}, 'words', {
    enumerable: true,
    get: refuse,
  });
  const closed = new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse, get: refuse });
  for (const cause of [reason, closed]) {
    const error = await failureOf(client(url, { fetch: hang }).posts.get('1', { signal: AbortSignal.abort(cause) }));
    expect(error).toMatchObject({ code: 'ABORTED' });
    expect((error as Error).cause === cause).toBe(true);
  }
});

test.each([
  ['an object without a prototype', Object.create(null)],
  ['a proxy', new Proxy({}, { get: refuse, getPrototypeOf: refuse })],
  ['a symbol', Symbol('offline')],
])('a fetch or middleware that throws %s fails the call with a typed error', async (_, thrown) => {
  const throws = (): Promise<never> => Promise.reject(thrown);
  const retry = { limit: 1, sleep: async () => {} };
  expect(await failureOf(client(url, { fetch: throws, retry }).posts.get('1'))).toMatchObject({
    code: 'NETWORK_ERROR',
    attempts: [{}, {}],
  });
  expect(await failureOf(client(url, { middleware: [throws] }).posts.get('1'))).toMatchObject({
    code: 'CALLBACK_FAILED',
  });
});
