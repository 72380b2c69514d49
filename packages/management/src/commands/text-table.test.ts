import { expect, test } from 'vitest';
import { asText, table } from './text-table.ts';

test('a table can have more rows than a function call can have arguments', () => {
  const rows = Array.from({ length: 150_000 }, (_, index) => [`placement ${index}`, index]);
  const text = asText(table({ PLACEMENT: 'id', REQUESTS: 'text' }, rows), false);
  expect(text.split('\n').slice(149_999)).toEqual(['placement 149998   149,998', 'placement 149999   149,999']);
});

test('texts are shortened on a terminal, and ids and URLs never', () => {
  const long = 'x'.repeat(200);
  const printed = table({ POST: 'id', URL: 'url', TITLE: 'text' }, [[long, `https://${long}`, long]]);
  const cells = (isTerminal: boolean) => asText(printed, isTerminal).split('\n')[1]?.split('  ');
  expect(cells(false)).toEqual([long, `https://${long}`, long]);
  expect(cells(true)).toEqual([long, `https://${long}`, `${'x'.repeat(57)}...`]);
});

test('a text is not cut within a character', () => {
  const printed = table({ TITLE: 'text' }, [[`${'x'.repeat(56)}${'😀'.repeat(10)}`]]);
  expect(asText(printed, true).isWellFormed()).toBe(true);
});

test('an empty line separates the parts of a text', () => {
  const printed = ['News\n', table({ AD: 'id' }, [['a']]), table({ DAY: 'text' }, [], 'None.'), 'end'];
  expect(asText(printed, false)).toBe('News\n\nAD\na\n\nNone.\n\nend');
});
