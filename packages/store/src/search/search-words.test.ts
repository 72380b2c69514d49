import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOf, wordsOf } from './search-words.ts';

const character = fc.constantFrom('a', 'b', '1', '東', '京', 'カ', '한', '-', '+', '.', '😀', '\0', '\ud800', '\ufffd');
const chunk = fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join(''));
const text = fc.array(chunk, { minLength: 1, maxLength: 4 }).map((chunks) => chunks.join(' '));

/** Whether the words of a text have every part of a term. */
function leadsTo(term: string, words: ReadonlySet<string>): boolean {
  return partsOf(term).every(({ text, whole }) =>
    whole ? words.has(text) : [...words].some((word) => word.includes(text)),
  );
}

test('whatever is in a text without white space is found by its words', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 12 }), (whole, start, length) => {
      const characters = [...whole];
      const from = start % characters.length;
      const term =
        characters
          .slice(from, from + length)
          .join('')
          .split(' ')[0] ?? '';
      expect(leadsTo(term, wordsOf(whole))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('words are told apart by what they are made of', () => {
  expect([...wordsOf('node.js, node.js (2nd) 東京都 c++')]).toEqual([
    'node',
    '.',
    'js',
    ',',
    '(',
    '2nd',
    ')',
    '東',
    '京',
    '東京',
    '都',
    '京都',
    'c',
    '++',
  ]);
  expect(partsOf('東京都')).toEqual([
    { text: '東京', whole: true },
    { text: '京都', whole: true },
  ]);
  expect(partsOf('東')).toEqual([{ text: '東', whole: true }]);
  expect(partsOf('e.g')).toEqual(['e', '.', 'g'].map((text) => ({ text, whole: false })));
});

test('a word longer than an index can hold is known by parts, and found by any of it', () => {
  const long = Array.from({ length: 1500 }, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join('');
  const words = wordsOf(long);
  expect(Math.max(...[...words].map((word) => word.length))).toBeLessThanOrEqual(400);
  for (const start of [0, 150, 199, 200, 399, 1000, 1299]) {
    expect(leadsTo(long.slice(start, start + 200), words)).toBe(true);
  }
  expect(leadsTo(long.slice(100, 1200), words)).toBe(true);
});
