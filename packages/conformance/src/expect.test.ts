import { expect, test } from 'vitest';
import { equal, holds, matches, present, refused } from './expect.ts';

test.each([
  [{ a: 1 }, { a: 1, b: undefined }, 'x.b'],
  [{ a: [1, { c: 2 }] }, { a: [1, { c: 3 }] }, 'x.a.1.c: expected 3, found 2'],
  [[1], [1, 2], 'expected 2 items, found 1'],
  [[], {}, 'x: expected {}, found []'],
  [null, {}, 'x: expected {}, found null'],
  ['1', 1, 'x: expected 1, found "1"'],
])('the difference between %j and %j is reported', (actual, expected, message) => {
  expect(() => equal(actual, expected, 'x')).toThrow(message);
});

test('equal values pass', () => {
  equal({ a: [1, null, { b: 'c' }] }, { a: [1, null, { b: 'c' }] }, 'x');
  equal(Number.NaN, Number.NaN, 'x');
});

test('a failed check describes what was expected', async () => {
  expect(() => holds(0, 'it rains')).toThrow('failed check: it rains');
  expect(() => matches(5, /a/, 'x')).toThrow('x: expected /a/, found 5');
  expect(() => present(null, 'the key')).toThrow('the key is missing');
  await expect(refused(() => 1, 'nonsense')).rejects.toThrow('nonsense was accepted');
  await refused(() => Promise.reject(new Error('no')), 'nonsense');
});
