import { expect, test } from 'vitest';
import { KEY } from '../test/support/client.ts';
import { checkOptions } from './check-options.ts';
import type { EndpointId } from './endpoint-id.ts';
import { createClient } from './index.ts';

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
])('the value %o is described as %s, and what is in it stays unsaid', (value, words) => {
  expect(wrong('posts.get', { timeout: value })).toBe(`posts.get: timeout is ${words}: give milliseconds or false.`);
});

test.each<[EndpointId | undefined, object, string]>([
  ['posts.list', { limit: '5' }, 'limit is "5": give a non-negative number.'],
  ['posts.list', { offset: -1 }, 'offset is -1: give a non-negative number.'],
  ['search', { limit: null }, 'limit is null: give a non-negative number.'],
  ['tags.posts', { page: '2' }, 'page is "2": give a non-negative number.'],
  ['categories.posts', { pageSize: [5] }, 'pageSize is an array: give a non-negative number.'],
  ['posts.get', { maxBodyBytes: '1 MB' }, 'maxBodyBytes is "1 MB": give a non-negative number.'],
  ['posts.get', { fetchOptions: 'no-store' }, 'fetchOptions is "no-store": give an object.'],
  ['posts.get', { onDrift: true }, 'onDrift is true: give a function.'],
  ['posts.get', { signal: {} }, 'signal is an object (Object): give an AbortSignal.'],
  ['posts.get', { middleware: () => {} }, 'middleware is a function: give an array of functions.'],
  ['posts.get', { logger: { debug() {}, warn() {} } }, 'logger is an object (Object): give a logger with debug,'],
  ['posts.get', { retry: { baseDelay: '1s' } }, 'baseDelay is "1s": give a non-negative number.'],
  ['posts.get', { retry: { maxDelay: -1 } }, 'maxDelay is -1: give a non-negative number.'],
  ['posts.get', { retry: { maxRetryAfter: '1s' } }, 'maxRetryAfter is "1s": give a non-negative number.'],
  ['posts.get', { retry: { sleep: 5 } }, 'sleep is 5: give a function.'],
  ['posts.get', { retry: { random: 0.5 } }, 'random is 0.5: give a function.'],
  ['posts.get', { retry: { timeout: 5 } }, 'there is no option timeout: it takes limit, baseDelay, maxDelay,'],
  ['request', { query: 'a=1' }, 'query is "a=1": give an object.'],
  ['ads.deliver', { visitor: '203.0.113.9' }, 'visitor is "203.0.113.9": give an object.'],
  ['ads.click', { trust: 'nginx' }, 'trust is "nginx": give \'cloudflare\' or how many proxies to trust.'],
  ['ads.click', { trust: 1.5 }, "trust is 1.5: give 'cloudflare'"],
  ['ads.click', { trust: -1 }, "trust is -1: give 'cloudflare'"],
  ['categories.list', { limit: 5 }, 'there is no option limit: it takes signal, timeout, retry, headers,'],
  [undefined, { cache: true }, 'cache is true: give an object.'],
  [undefined, { visitor: {} }, 'there is no option visitor: it takes baseUrl, apiKey, signal,'],
])('%s with %o is refused in words that say what to give', (id, options, words) => {
  expect(wrong(id, options)).toContain(`${id ?? 'createClient'}: ${words}`);
});

test.each<[EndpointId, object]>([
  ['posts.list', { limit: 0, offset: 0 }],
  ['tags.posts', { page: 1, pageSize: 5 }],
  ['categories.posts', { page: 1, pageSize: 5 }],
  ['search', { limit: 5, offset: 5 }],
  ['ads.deliver', { visitor: {}, trust: 'cloudflare' }],
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
  const cache = { read: (_key: string, _tags: readonly string[], load: () => Promise<never>) => load() };
  expect(() => createClient({ baseUrl: 'http://blog.example', apiKey: KEY, ...own, cache })).not.toThrow();
});
