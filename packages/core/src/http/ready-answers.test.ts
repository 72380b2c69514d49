import { describe, expect, test } from 'vitest';
import { createReadyAnswers } from './ready-answers.ts';

const answer = (bytes = 100) => ({ id: 'posts.list' as const, body: new Uint8Array(bytes) });

describe('ready answers', () => {
  test('an answer is kept from the second time on', () => {
    const ready = createReadyAnswers(10_000);
    ready.offer('a', answer());
    expect(ready.get('a')).toBeUndefined();
    const second = answer();
    ready.offer('a', second);
    expect(ready.get('a')?.body).toBe(second.body);
  });

  test('whoever reads every page once pushes nothing out', () => {
    const ready = createReadyAnswers(10_000);
    for (let turn = 0; turn < 2; turn += 1) ready.offer('front', answer());
    for (let page = 0; page < 10_000; page += 1) ready.offer(`page ${page}`, answer());
    expect(ready.get('front')).toBeDefined();
    expect(ready.get('page 9999')).toBeUndefined();
  });

  test('the oldest answer makes room, unless it was used: then the next, and it after another round', () => {
    // Room for ten, each a little more than its hundred bytes.
    const ready = createReadyAnswers(2_100);
    const keep = (key: string) => {
      for (let turn = 0; turn < 2; turn += 1) ready.offer(key, answer());
    };
    for (const key of 'abcdefghij') keep(key);
    expect(ready.get('a')).toBeDefined();
    keep('k');
    expect(ready.get('b')).toBeUndefined();
    for (const key of 'lmnopqrs') keep(key);
    const left = [...'abcdefghijklmnopqrs'].filter((key) => ready.get(key));
    expect(left.join('')).toBe('aklmnopqrs');
    // All of these were used just now: the oldest goes all the same.
    keep('t');
    expect([ready.get('a'), ready.get('t')]).toEqual([undefined, expect.anything()]);
  });

  test('an answer too large for the memory is not kept', () => {
    const ready = createReadyAnswers(2_000);
    for (let turn = 0; turn < 3; turn += 1) ready.offer('large', answer(500));
    expect(ready.get('large')).toBeUndefined();
  });
});
