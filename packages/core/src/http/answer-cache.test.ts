import { describe, expect, test } from 'vitest';
import { createAnswerCache } from './answer-cache.ts';

const answer = (bytes = 100) => ({ id: 'posts.list' as const, body: new Uint8Array(bytes) });

describe('the cache of responses', () => {
  test('a response is cached from the second request on', () => {
    const answers = createAnswerCache(10_000);
    answers.offer('a', answer());
    expect(answers.get('a')).toBeUndefined();
    const second = answer();
    answers.offer('a', second);
    expect(answers.get('a')?.body).toBe(second.body);
  });

  test('reading every page once evicts nothing', () => {
    const answers = createAnswerCache(10_000);
    for (let turn = 0; turn < 2; turn += 1) answers.offer('front', answer());
    for (let page = 0; page < 10_000; page += 1) answers.offer(`page ${page}`, answer());
    expect(answers.get('front')).toBeDefined();
    expect(answers.get('page 9999')).toBeUndefined();
  });

  test('the least recently used response is evicted', () => {
    // Room for ten: each costs its hundred bytes, its key and an overhead of a hundred. A sixteenth is for keys.
    const answers = createAnswerCache(2_200);
    const cache = (key: string) => {
      for (let turn = 0; turn < 2; turn += 1) answers.offer(key, answer());
    };
    for (const key of 'abcdefghij') cache(key);
    expect(answers.get('a')).toBeDefined();
    cache('k');
    expect(answers.get('b')).toBeUndefined();
    for (const key of 'lmnopqrs') cache(key);
    const left = [...'abcdefghijklmnopqrs'].filter((key) => answers.get(key));
    expect(left.join('')).toBe('aklmnopqrs');
    cache('t');
    expect([answers.get('a'), answers.get('t')]).toEqual([undefined, expect.anything()]);
  });

  test('keys count towards the size of the cache', () => {
    const answers = createAnswerCache(10_000);
    const addresses = ['a', 'b', 'c'].map((letter) => letter.repeat(2_000));
    for (const address of addresses) for (let turn = 0; turn < 2; turn += 1) answers.offer(address, answer());
    expect(addresses.map((address) => answers.get(address) !== undefined)).toEqual([false, true, true]);
  });

  test('keys that were offered once count towards the size of the cache', () => {
    /** How many of these addresses are cached when each was requested three times, one after another. */
    const cachedOf = (addresses: readonly string[]) => {
      const answers = createAnswerCache(160_000);
      for (let turn = 0; turn < 3; turn += 1) for (const address of addresses) answers.offer(address, answer());
      return addresses.filter((address) => answers.get(address)).length;
    };
    const long = (letter: string) => letter.repeat(1_000);
    // There is room for four such keys, and the fifth makes the others forgotten.
    expect([cachedOf([...'abcd'].map(long)), cachedOf([...'abcde'].map(long))]).toEqual([4, 0]);
    expect(cachedOf([...'abcde'])).toBe(5);
  });

  test('a response that is offered again replaces the earlier one', () => {
    const answers = createAnswerCache(2_200);
    for (let turn = 0; turn < 2; turn += 1) answers.offer('b', answer());
    for (let turn = 0; turn < 50; turn += 1) answers.offer('a', answer());
    for (const key of 'cdefghij') for (let turn = 0; turn < 2; turn += 1) answers.offer(key, answer());
    expect([...'abcdefghij'].filter((key) => answers.get(key)).join('')).toBe('abcdefghij');
  });

  test('a key that was offered long ago is forgotten, a recent one is not', () => {
    const answers = createAnswerCache(16 * 400_000);
    const offerOthers = (count: number, name: string) => {
      for (let page = 0; page < count; page += 1) answers.offer(`${name} ${page}`, answer());
    };
    answers.offer('a', answer());
    offerOthers(4_000, 'first');
    answers.offer('a', answer());
    expect(answers.get('a')).toBeUndefined();
    offerOthers(1_900, 'second');
    answers.offer('a', answer());
    expect(answers.get('a')).toBeDefined();
  });

  test('a response larger than a tenth of the cache is not cached', () => {
    const answers = createAnswerCache(2_000);
    for (let turn = 0; turn < 3; turn += 1) {
      answers.offer('large', answer(201));
      answers.offer('chunks', {
        id: 'posts.list',
        body: { chunks: [new Uint8Array(101), new Uint8Array(100)], owned: true },
      });
      answers.offer('text', { id: 'posts.list', body: 'x'.repeat(201) });
      answers.offer('fits', answer(200));
    }
    expect(['large', 'chunks', 'text', 'fits'].filter((key) => answers.get(key))).toEqual(['fits']);
  });
});
