import { expect, test } from 'vitest';
import { KEY } from '../test/support/client.ts';
import { checkOptions } from './check-options.ts';
import type { EndpointId } from './endpoint-id.ts';
import { createClient, responseCache } from './index.ts';

const wrong = (id: EndpointId | undefined, options: unknown): string => {
  try {
    checkOptions(id, options);
  } catch (error) {
    expect(error).toMatchObject({ name: 'InputError', code: 'INVALID_INPUT', phase: 'input' });
    return (error as Error).message;
  }
  return 'nothing is wrong';
};

class Token {}

test.each<[unknown, string]>([
  [-7, '-7'],
  [Number.NaN, 'NaN'],
  [10n, '10'],
  ['x'.repeat(90), `"${'x'.repeat(80)}"`],
  [[1], 'an array'],
  [{ key: KEY }, 'an object (Object)'],
  [new Token(), 'an object (Token)'],
  [Object.create(null), 'an object (plain)'],
  [() => KEY, 'a function'],
])('the value %o is described as %s, without its content', (value, words) => {
  const message = `posts.get: timeout must be a number of milliseconds, or false; received ${words}.`;
  expect(wrong('posts.get', { timeout: value })).toBe(message);
});

test.each<[EndpointId | undefined, object, string]>([
  ['posts.list', { limit: '5' }, 'limit must be a number of 0 or more; received "5".'],
  ['posts.list', { offset: -1 }, 'offset must be a number of 0 or more; received -1.'],
  ['search', { limit: null }, 'limit must be a number of 0 or more; received null.'],
  ['tags.posts', { page: '2' }, 'page must be a number of 0 or more; received "2".'],
  ['categories.posts', { pageSize: [5] }, 'pageSize must be a number of 0 or more; received an array.'],
  ['posts.get', { maxBodyBytes: '1 MB' }, 'maxBodyBytes must be a number of 0 or more; received "1 MB".'],
  ['posts.get', { fetchOptions: 'no-store' }, 'fetchOptions must be an object; received "no-store".'],
  ['posts.get', { onDrift: true }, 'onDrift must be a function; received true.'],
  ['posts.get', { signal: {} }, 'signal must be an AbortSignal; received an object (Object).'],
  ['posts.get', { middleware: () => {} }, 'middleware must be an array of functions; received a function.'],
  [
    'posts.get',
    { logger: { debug() {}, warn() {} } },
    'logger must be a logger with debug, warn and error; received an object (Object).',
  ],
  ['posts.get', { retry: { baseDelay: '1s' } }, 'baseDelay must be a number of 0 or more; received "1s".'],
  ['posts.get', { retry: { maxDelay: -1 } }, 'maxDelay must be a number of 0 or more; received -1.'],
  ['posts.get', { retry: { maxRetryAfter: '1s' } }, 'maxRetryAfter must be a number of 0 or more; received "1s".'],
  ['posts.get', { retry: { sleep: 5 } }, 'sleep must be a function; received 5.'],
  ['posts.get', { retry: { random: 0.5 } }, 'random must be a function; received 0.5.'],
  ['posts.get', { retry: { timeout: 5 } }, 'unknown option "timeout". Known options: limit, baseDelay, maxDelay,'],
  ['request', { query: 'a=1' }, 'query must be an object; received "a=1".'],
  ['ads.deliver', { visitor: '203.0.113.9' }, 'visitor must be an object; received "203.0.113.9".'],
  ['ads.click', { trust: 'nginx' }, 'trust must be \'cloudflare\' or a number of proxies; received "nginx".'],
  ['ads.click', { trust: 1.5 }, "trust must be 'cloudflare' or a number of proxies; received 1.5."],
  ['ads.click', { trust: -1 }, "trust must be 'cloudflare' or a number of proxies; received -1."],
  ['categories.list', { limit: 5 }, 'unknown option "limit". Known options: signal, timeout, retry, headers,'],
  [undefined, { cache: true }, 'cache must be an object; received true.'],
  [undefined, { visitor: {} }, 'unknown option "visitor". Known options: baseUrl, apiKey, signal,'],
])('%s with %o is refused with a message that says what is expected', (id, options, words) => {
  expect(wrong(id, options)).toContain(`${id ?? 'createClient'}: ${words}`);
});

test.each<[EndpointId, object]>([
  ['posts.list', { limit: 0, offset: 0 }],
  ['tags.posts', { page: 1, pageSize: 5 }],
  ['categories.posts', { page: 1, pageSize: 5 }],
  ['search', { limit: 5, offset: 5 }],
  ['ads.deliver', { visitor: {}, trust: 'cloudflare', client: 'cars', idempotencyKey: 'k'.repeat(16) }],
  ['ads.deliverBatch', { visitor: {}, trust: 0 }],
  ['ads.click', { visitor: {}, trust: 2, keepalive: false }],
  ['ads.impression', { visitor: {}, trust: 2 }],
  ['request', { query: {}, body: 1 }],
  ['posts.get', { timeout: false, retry: false, headers: {}, fetchOptions: {}, validate: 'off', logger: console }],
  ['posts.get', { timeout: 0, retry: 3, signal: AbortSignal.abort(), fetch, maxBodyBytes: 0, middleware: [] }],
  ['posts.get', { onDrift() {}, onEvent() {}, retry: { limit: 1, baseDelay: 1, maxDelay: 1, maxRetryAfter: 1 } }],
])('%s takes %o', (id, options) => {
  expect(wrong(id, options)).toBe('nothing is wrong');
});

test('a client accepts all options of a call, and its own', () => {
  const own = { dedupe: false, nextTags: true, trust: 1, allowInsecureHttp: true, browser: true, timeout: 1, retry: 0 };
  const cache = responseCache({ get: () => undefined, set() {} });
  expect(() => createClient({ baseUrl: 'http://blog.example', apiKey: KEY, ...own, cache })).not.toThrow();
});
