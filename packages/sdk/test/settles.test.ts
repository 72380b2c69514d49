import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Blog,
  BroadsheetError,
  type CachedResponse,
  type ClientOptions,
  isBroadsheetError,
  memoryCache,
  type ResponseCache,
  responseCache,
  type SafeResult,
} from '../src/index.ts';
import { client } from './support/client.ts';
import { envelope } from './support/responses.ts';
import { sampleCategory } from './support/samples.ts';

// Every function and object that a caller can pass may throw, reject, hang or return nonsense. The call settles, with an
// error that names the option where the call cannot go on without it, and no promise is left that nobody handles.

type Bad = () => never;
const WAYS: Readonly<Record<string, Bad>> = {
  throws: () => {
    throw new Error('boom');
  },
  rejects: (() => Promise.reject(new Error('boom'))) as unknown as Bad,
  hangs: (() => new Promise(() => {})) as unknown as Bad,
  'returns nonsense': (() => ({ nonsense: true })) as unknown as Bad,
  'returns nothing': (() => undefined) as unknown as Bad,
};

interface Place {
  /** The options of the client. */
  readonly options?: (bad: Bad) => ClientOptions;
  readonly call?: (blog: Blog, bad: Bad) => { safe(): Promise<SafeResult<unknown>> };
  /** What the error says; `undefined` if the call does not depend on the code. */
  readonly names?: RegExp;
}

const ok = async () => Response.json({ success: true, data: [sampleCategory] });
const down = async () => Response.json(envelope(500, 'INTERNAL_ERROR'), { status: 500 });
const drifted = async () => Response.json({ success: true, data: [{ ...sampleCategory, name: 7 }] });
const again = { limit: 1, baseDelay: 1 };
const tags = (blog: Blog) => blog.categories.list();
const through = (cache: Partial<ResponseCache>): ResponseCache => ({ read: (_, { request }) => request(), ...cache });
const stale: CachedResponse = { response: { status: 200, headers: new Headers(), text: '' }, state: 'stale' };
const getter = (name: string, get: () => unknown): object => Object.defineProperty({}, name, { get, enumerable: true });
const signal = (own: object): AbortSignal =>
  Object.assign(
    Object.create(
      AbortSignal.prototype,
      Object.getOwnPropertyDescriptors({ aborted: false, addEventListener() {}, removeEventListener() {} }),
    ),
    own,
  );
const response = (own: object): Promise<Response> =>
  Promise.resolve({ status: 200, headers: new Headers(), text: async () => '{}', ...own } as Response);

const PLACES: Readonly<Record<string, Place>> = {
  fetch: { options: (fetch) => ({ fetch }), names: /fetch|no response|timed out/ },
  'fetch after next()': {
    options: (fetch) => ({ fetch, middleware: [(_, next) => next()] }),
    names: /fetch|no response|timed out/,
  },
  'fetch of a call': { call: (blog, fetch) => blog.tags.list({ fetch }), names: /fetch|no response|timed out/ },
  middleware: { options: (bad) => ({ middleware: [bad] }), names: /middleware/ },
  'middleware of a call': { call: (blog, bad) => blog.tags.list({ middleware: [bad] }), names: /middleware/ },
  'middleware after next()': {
    options: (bad) => ({ middleware: [async (_, next) => next().then(bad)] }),
    names: /middleware/,
  },
  'middleware inside another': { options: (bad) => ({ middleware: [(_, next) => next(), bad] }), names: /middleware/ },
  'middleware of a click': {
    options: (bad) => ({ middleware: [bad] }),
    call: (blog) => blog.ads.click('token'),
    names: /middleware/,
  },
  'middleware of a list': {
    options: (bad) => ({ middleware: [bad] }),
    call: (blog) => blog.posts.list(),
    names: /middleware/,
  },
  onEvent: { options: (onEvent) => ({ onEvent }) },
  'onEvent of a failure': { options: (onEvent) => ({ onEvent, fetch: down }), names: /INTERNAL_ERROR/ },
  onDrift: { options: (onDrift) => ({ onDrift, fetch: drifted }) },
  'logger.debug': { options: (debug) => ({ logger: { ...console, debug } }) },
  'logger.warn': { options: (warn) => ({ logger: { ...console, warn }, fetch: drifted }) },
  'logger.error': { options: (error) => ({ logger: { ...console, error }, fetch: down }), names: /INTERNAL_ERROR/ },
  'console.warn': {
    options: (bad) => {
      vi.spyOn(console, 'warn').mockImplementation(bad);
      return { onDrift: undefined, fetch: drifted };
    },
  },
  'console.error': {
    options: (bad) => {
      vi.spyOn(console, 'error').mockImplementation(bad);
      return { onEvent: bad };
    },
  },
  'retry.sleep': {
    options: (sleep) => ({ fetch: down, retry: { ...again, sleep } }),
    names: /retry.sleep|INTERNAL_ERROR/,
  },
  'retry.random': {
    options: (random) => ({ fetch: down, retry: { ...again, random } }),
    names: /retry.random|INTERNAL_ERROR/,
  },
  'cache.read': { options: (read) => ({ cache: { read } }), names: /cache/ },
  'cache.recover': { options: (recover) => ({ cache: through({ recover }), fetch: down }), names: /INTERNAL_ERROR/ },
  'cache.generation': {
    options: (bad) => ({ cache: Object.defineProperty(through({}), 'generation', { get: bad, enumerable: true }) }),
    names: /option|cache/,
  },
  'get of a store': { options: (get) => ({ cache: responseCache({ get, set() {} }) }), names: /cache/ },
  'set of a store': { options: (set) => ({ cache: responseCache({ get: () => undefined, set }) }) },
  'generation of a store': {
    options: (bad) => {
      const store = { get: () => undefined, set() {} };
      return { cache: responseCache(Object.defineProperty(store, 'generation', { get: bad })) };
    },
    names: /option|cache/,
  },
  'a stale response of a store': {
    options: (get) => ({ cache: responseCache({ get: () => stale, set: get }) }),
    names: /RESPONSE|valid JSON|empty/,
  },
  'now of memoryCache': { options: (now) => ({ cache: memoryCache({ fresh: 1, now }) }), names: /cache/ },
  'aborted of a signal': {
    call: (blog, get) => blog.tags.list({ signal: getter('aborted', get) as AbortSignal }),
    names: /signal|option/,
  },
  'addEventListener of a signal': {
    call: (blog, addEventListener) => blog.tags.list({ signal: signal({ addEventListener }) }),
    names: /signal/,
  },
  'removeEventListener of a signal': {
    call: (blog, removeEventListener) => blog.tags.list({ signal: signal({ removeEventListener }) }),
  },
  'reason of a signal': {
    call: (blog, get) =>
      blog.tags.list({ signal: signal(Object.defineProperty({ aborted: true }, 'reason', { get })) }),
    names: /aborted/,
  },
  'a getter of the options': { call: (blog, get) => blog.tags.list(getter('timeout', get)), names: /timeout|option/ },
  'a getter of fetchOptions': {
    call: (blog, get) => blog.tags.list({ fetchOptions: getter('cache', get) }),
    names: /fetchOptions/,
  },
  'a getter of headers': {
    call: (blog, get) => blog.tags.list({ headers: getter('x', get) as Headers }),
    names: /headers/,
  },
  'an iterator of headers': {
    call: (blog, iterate) => blog.tags.list({ headers: { [Symbol.iterator]: iterate } as never }),
    names: /headers|option/,
  },
  'toJSON of a body': { call: (blog, toJSON) => blog.request('POST', '/x', { body: { toJSON } }), names: /body|boom/ },
  'a getter of a body': {
    call: (blog, get) => blog.request('POST', '/x', { body: getter('x', get) }),
    names: /body|boom/,
  },
  'a getter of a query': {
    call: (blog, get) => blog.request('GET', '/x', { query: getter('x', get) as never }),
    names: /query|boom/,
  },
  'headers of a visitor': {
    call: (blog, get) => blog.ads.deliver('BANNER', { visitor: { headers: { get } as never } }),
    names: /visitor|option|BANNER|headers/,
  },
  'a getter of a visitor': {
    call: (blog, get) => blog.ads.deliver('BANNER', { visitor: getter('origin', get) }),
    names: /visitor/,
  },
  'text() of a response': { options: (text) => ({ fetch: () => response({ text }) }), names: /response|JSON/ },
  'getReader() of a body': {
    options: (getReader) => ({ fetch: () => response({ body: { getReader } }) }),
    names: /response|timed out/,
  },
  'read() of a body': {
    options: (read) => ({ fetch: () => response({ body: { getReader: () => ({ read, cancel: read }) } }) }),
    names: /response|timed out/,
  },
  'cancel() of a body': {
    options: (cancel) => ({
      maxBodyBytes: 1,
      fetch: () =>
        response({ body: { getReader: () => ({ read: async () => ({ value: new Uint8Array(9) }), cancel }) } }),
    }),
    names: /longer than/,
  },
  'headers of a response': {
    options: (get) => ({ fetch: () => response({ headers: { get } }) }),
    names: /option|boom|match|timed out|undefined/,
  },
  'a frozen error': {
    options: () => ({
      middleware: [
        () => {
          throw Object.freeze(new BroadsheetError('x', { code: 'X', phase: 'input' }));
        },
      ],
    }),
    names: /x/,
  },
  'an error whose attempts are read-only': {
    options: () => ({
      middleware: [
        () => {
          const error = new BroadsheetError('x', { code: 'X', phase: 'input' });
          throw Object.defineProperty(error, 'attempts', { value: [], writable: false, configurable: false });
        },
      ],
    }),
    names: /x/,
  },
};

const stray: unknown[] = [];
const collect = (error: unknown): unknown => stray.push(error);
beforeEach(() => {
  stray.length = 0;
  process.on('unhandledRejection', collect);
  for (const level of ['error', 'warn', 'debug'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterEach(() => {
  process.off('unhandledRejection', collect);
  vi.restoreAllMocks();
});

/** Places whose result is a value: a promise there is not one that the client could handle. */
const VALUES = /getter|getReader|toJSON|^console|of a signal|generation|now of|headers of|iterator/;

const rows = Object.entries(PLACES).flatMap(([name, place]) =>
  Object.entries(WAYS)
    .filter(([way]) => way !== 'rejects' || !VALUES.test(name))
    .map(([way, bad]) => [name, way, place, bad] as const),
);

test.each(rows)('%s that %s: the call settles', async (_, way, { options, call = tags, names }, bad) => {
  const timeout = way === 'hangs' && names ? 100 : 5000;
  const base = { fetch: ok, timeout, retry: 0, ...options?.(bad) };
  const result = await call(client('https://blog.example', base), bad).safe();
  if (!result.ok) {
    expect(isBroadsheetError(result.error)).toBe(true);
    expect(result.error.endpoint).toBeDefined();
    const said = `${result.error} ${result.error.code}`;
    if (way !== 'hangs' || result.error.code !== 'TIMEOUT') expect(said).toMatch(names ?? /never/);
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(stray).toEqual([]);
});

test('recover is asked once per call', async () => {
  const recover = vi.fn(async () => stale.response);
  const { ok: isOk, error } = await client('https://blog.example', {
    fetch: down,
    retry: 0,
    cache: through({ recover: recover as never }),
  })
    .tags.list()
    .safe();
  expect([isOk, error?.code]).toEqual([false, 'INTERNAL_ERROR']);
  expect(recover).toHaveBeenCalledTimes(1);
});

test('a recovered response that cannot be read does not hide the failure', async () => {
  const recover = vi.fn(() => stale.response);
  const { error } = await client('https://blog.example', { fetch: down, retry: 0, cache: through({ recover }) })
    .tags.list()
    .safe();
  expect(error?.code).toBe('INTERNAL_ERROR');
  expect(recover).toHaveBeenCalledTimes(1);
});

test.each([
  ['{ aborted }', { aborted: false }],
  ['without removeEventListener', { aborted: false, addEventListener() {} }],
  ['an AbortController', new AbortController()],
])('a signal that is %s is refused before a request', async (_, value) => {
  const fetch = vi.fn(ok);
  const { error } = await client('https://blog.example', { fetch })
    .tags.list({ signal: value as never })
    .safe();
  expect(error).toMatchObject({
    name: 'InputError',
    message: expect.stringContaining('signal must be an AbortSignal'),
  });
  expect(fetch).not.toHaveBeenCalled();
});

test('the error for a stub that returns one Response twice says so', async () => {
  const one = await ok();
  const blog = client('https://blog.example', { fetch: async () => one });
  expect((await blog.tags.list().safe()).ok).toBe(true);
  expect((await blog.tags.list().safe()).error).toMatchObject({
    name: 'CallbackError',
    code: 'CALLBACK_FAILED',
    message: 'tags.list: fetch returned a Response whose body was already read: return a new one for each call.',
  });
});

test('an error of a middleware has the code, the class and the cause', async () => {
  const cause = new Error('the token service is down');
  const failing = () => Promise.reject(cause);
  const { error } = await client('https://blog.example', { middleware: [failing] })
    .tags.list()
    .safe();
  expect(error).toMatchObject({ name: 'CallbackError', code: 'CALLBACK_FAILED', retryable: false, cause });
  expect(error?.message).toBe('tags.list: middleware failed: the token service is down.');
});
