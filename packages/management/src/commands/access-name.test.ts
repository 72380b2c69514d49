import { expect, test } from 'vitest';
import { accessName, readAccessName } from './access-name.ts';

test.each([
  ['Jose\u0301  Roca ', 'José Roca'],
  ['ｃｉ', 'ci'],
  ['\u00a0news-site', 'news-site'],
  ['e\u0301', 'é'],
  ['Ελένη', 'Ελένη'],
])('%j is stored and found as %j', (input, name) => {
  expect(readAccessName(input, 'Ada')).toBe(name);
  expect(accessName(input)).toBe(name);
});

test.each([
  ['', /expected 1 to 100 letters/],
  [' ', /expected 1 to 100 letters/],
  ['a\u200bb', /expected 1 to 100 letters/],
  ['\u0430da', /expected letters of one alphabet/],
  ['command line', /would look like a command or a token/],
  ['Command  Line', /would look like a command or a token/],
  ['token ci', /would look like a command or a token/],
  ['admin_token', /would look like a command or a token/],
])('%j is refused', (input, message) => {
  expect(() => readAccessName(input, 'Ada')).toThrow(message);
});
