import { describe, expect, test } from 'vitest';
import { createAnswerCache } from './answer-cache.ts';

const answer = (bytes = 100) => ({ id: 'posts.list' as const, body: new Uint8Array(bytes) });

describe('the cache of answers', () => {
  test('an answer is cached from the second request on', () => {
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

  test('the oldest answer makes room, unless it was used: then the next, and it after another round', () => {
    // Room for ten, each a little more than its hundred bytes.
    const answers = createAnswerCache(2_100);
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
    // All of these were used just now: the oldest goes all the same.
    cache('t');
    expect([answers.get('a'), answers.get('t')]).toEqual([undefined, expect.anything()]);
  });

  test('an answer too large for the memory is not cached', () => {
    const answers = createAnswerCache(2_000);
    for (let turn = 0; turn < 3; turn += 1) answers.offer('large', answer(500));
    expect(answers.get('large')).toBeUndefined();
  });
});
