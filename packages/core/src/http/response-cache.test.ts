import { describe, expect, test } from 'vitest';
import { createResponseCache } from './response-cache.ts';

const response = (bytes = 100) => ({ id: 'posts.list' as const, body: new Uint8Array(bytes) });

describe('the cache of responses', () => {
  test('a response is cached from the second request on', () => {
    const responses = createResponseCache(10_000);
    responses.offer('a', response());
    expect(responses.get('a')).toBeUndefined();
    const second = response();
    responses.offer('a', second);
    expect(responses.get('a')?.body).toBe(second.body);
  });

  test('reading every page once evicts nothing', () => {
    const responses = createResponseCache(10_000);
    for (let turn = 0; turn < 2; turn += 1) responses.offer('front', response());
    for (let page = 0; page < 10_000; page += 1) responses.offer(`page ${page}`, response());
    expect(responses.get('front')).toBeDefined();
    expect(responses.get('page 9999')).toBeUndefined();
  });

  test('reading every page again, when the cache cannot hold them all, evicts nothing', () => {
    const responses = createResponseCache(100_000);
    for (let turn = 0; turn < 2; turn += 1) responses.offer('front', response());
    for (let turn = 0; turn < 3; turn += 1) {
      for (let page = 0; page < 20; page += 1) responses.offer(`page ${page}`, response(9_000));
    }
    expect(responses.get('front')).toBeDefined();
  });

  test('the least recently used response is evicted', () => {
    // Room for ten: each costs its hundred bytes, its key and an overhead of a hundred. A sixteenth is for keys.
    const responses = createResponseCache(2_200);
    const cache = (key: string) => {
      for (let turn = 0; turn < 2; turn += 1) responses.offer(key, response());
    };
    for (const key of 'abcdefghij') cache(key);
    expect(responses.get('a')).toBeDefined();
    cache('k');
    expect(responses.get('b')).toBeUndefined();
    for (const key of 'lmnopqrs') cache(key);
    const left = [...'abcdefghijklmnopqrs'].filter((key) => responses.get(key));
    expect(left.join('')).toBe('aklmnopqrs');
    cache('t');
    expect([responses.get('a'), responses.get('t')]).toEqual([undefined, expect.anything()]);
  });

  test('keys count towards the size of the cache', () => {
    // Room for fifteen: each costs its hundred bytes, two for each character of its key and an overhead of a hundred.
    const responses = createResponseCache(70_000);
    const keys = [...'abcdefghijklmnop'].map((letter) => letter.repeat(2_000));
    for (const key of keys) for (let turn = 0; turn < 2; turn += 1) responses.offer(key, response());
    expect(keys.findIndex((key) => responses.get(key))).toBe(1);
  });

  test('keys that were offered once count towards the size of the cache', () => {
    /** How many of these keys are cached when each was requested three times, one after another. */
    const cachedOf = (keys: readonly string[]) => {
      const responses = createResponseCache(160_000);
      for (let turn = 0; turn < 3; turn += 1) for (const key of keys) responses.offer(key, response());
      return keys.filter((key) => responses.get(key)).length;
    };
    const long = (letter: string) => letter.repeat(1_000);
    // There is room for four such keys: of five, each is evicted before it is requested again.
    expect([cachedOf([...'abcd'].map(long)), cachedOf([...'abcde'].map(long))]).toEqual([4, 0]);
    expect(cachedOf([...'abcde'])).toBe(5);
  });

  test('a response that is offered again replaces the earlier one', () => {
    const responses = createResponseCache(2_200);
    for (let turn = 0; turn < 2; turn += 1) responses.offer('b', response());
    for (let turn = 0; turn < 50; turn += 1) responses.offer('a', response());
    for (const key of 'cdefghij') for (let turn = 0; turn < 2; turn += 1) responses.offer(key, response());
    expect([...'abcdefghij'].filter((key) => responses.get(key)).join('')).toBe('abcdefghij');
  });

  test('a key that was offered long ago is forgotten, a recent one is not', () => {
    const responses = createResponseCache(16 * 400_000);
    const offerOthers = (count: number, name: string) => {
      for (let page = 0; page < count; page += 1) responses.offer(`${name} ${page}`, response());
    };
    responses.offer('a', response());
    offerOthers(4_000, 'first');
    responses.offer('a', response());
    expect(responses.get('a')).toBeUndefined();
    offerOthers(1_900, 'second');
    responses.offer('a', response());
    expect(responses.get('a')).toBeDefined();
  });

  test('a response larger than a tenth of the cache is not cached', () => {
    const responses = createResponseCache(2_000);
    for (let turn = 0; turn < 3; turn += 1) {
      responses.offer('large', response(201));
      responses.offer('chunks', {
        id: 'posts.list',
        body: { chunks: [new Uint8Array(101), new Uint8Array(100)], owned: true },
      });
      responses.offer('text', { id: 'posts.list', body: 'x'.repeat(201) });
      responses.offer('fits', response(200));
    }
    expect(['large', 'chunks', 'text', 'fits'].filter((key) => responses.get(key))).toEqual(['fits']);
  });
});
