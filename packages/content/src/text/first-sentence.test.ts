import { expect, test } from 'vitest';
import { firstSentence } from './first-sentence.ts';

test.each([
  ['One. Two.', 'One.'],
  ['No stop at all', 'No stop at all'],
  ['Node.js v22.1.0 is out!  And more.', 'Node.js v22.1.0 is out!'],
  ['Dr. Ada wrote it, e.g. This. Then left.', 'Dr. Ada wrote it, e.g. This.'],
  ['  Two\n lines here.\nMore.', 'Two lines here.'],
  ['Это первое. Это второе.', 'Это первое.'],
  ['これは一つ目。これは二つ目。', 'これは一つ目。'],
  ['', ''],
])('the first sentence of %j is %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});

test('a sentence that is too long is cut at a word', () => {
  const cut = firstSentence('word '.repeat(200));
  expect(cut).toMatch(/^(?:word )+word…$/);
  expect(cut.length).toBeLessThanOrEqual(300);
});
