import { expect, test } from 'vitest';
import { bounded, normalizeTerm, type Problem, readText } from './read-text.ts';

type TextRule = Parameters<typeof readText>[0];

/** The value that is read, and the problems that are reported. */
function read(rule: TextRule, input: string) {
  const problems: Problem[] = [];
  const value = readText(rule, input, problems);
  return { value, problems: problems.map(({ text, code }) => `${code}: ${text}`) };
}

const passes = (rule: TextRule, input: string, value: unknown = input) =>
  expect(read(rule, input)).toEqual({ value, problems: [] });
const fails = (rule: TextRule, input: string, problem: string) => expect(read(rule, input).problems).toEqual([problem]);

test('the length of a text is counted in code points', () => {
  const rule: TextRule = { kind: 'text', min: 2, max: 4 };
  for (const text of ['ab', 'abcd', '😀😀', '😀😀😀😀']) passes(rule, text);
  for (const text of ['', 'a', '😀']) fails(rule, text, 'too_small: must be at least 2 characters long');
  for (const text of ['abcde', '😀😀😀😀😀']) fails(rule, text, 'too_big: must be at most 4 characters long');
  passes({ kind: 'text' }, '');
  passes({ kind: 'text' }, 'x'.repeat(100_000));
});

test('the length of a term does not include extra white space around and between its words', () => {
  const rule: TextRule = { kind: 'term', min: 3, max: 5 };
  passes(rule, '  a \n b ', 'a b');
  fails(rule, '   a ', 'too_small: must be at least 3 characters long');
  fails(rule, 'abc def', 'too_big: must be at most 5 characters long');
  expect(normalizeTerm('\u00a0 one\t\ttwo \u2003')).toBe('one two');
});

test('the length of an id is counted in bytes, because databases index bytes', () => {
  const rule: TextRule = { kind: 'id' };
  for (const text of ['a', ' ', 'x'.repeat(500), '字'.repeat(166), '😀'.repeat(125)]) passes(rule, text);
  fails(rule, '', 'too_small: must be at least 1 byte long');
  for (const text of ['x'.repeat(501), '字'.repeat(167), '😀'.repeat(126)])
    fails(rule, text, 'too_big: must be at most 500 bytes long');
});

test('digits are read as a whole number within the bounds', () => {
  const rule: TextRule = { kind: 'digits', min: 0, max: 10 };
  passes(rule, '0', 0);
  passes(rule, '10', 10);
  passes(rule, '007', 7);
  fails(rule, '-1', 'too_small: must be at least 0');
  fails(rule, '11', 'too_big: must be at most 10');
  for (const text of ['', '1.0', ' 1', '1 ', '+1', '-0', '-', '1e1', '٣'])
    fails(rule, text, `invalid_format: expected a whole number in decimal digits, received ${JSON.stringify(text)}`);
  fails({ kind: 'digits' }, '9007199254740992', 'too_big: must be at most 9007199254740991');
  fails({ kind: 'digits' }, '-9007199254740992', 'too_small: must be at least -9007199254740991');
});

test('a timestamp has a day that exists, a time and a zone', () => {
  const rule: TextRule = { kind: 'timestamp' };
  passes(rule, '2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z');
  passes(rule, '2024-02-29T23:59:59.5+23:59', '2024-02-29T00:00:59.500Z');
  passes(rule, '2026-12-01T00:00:00-01:30', '2026-12-01T01:30:00.000Z');
  for (const text of [
    '',
    '2026-02-30T09:00:00Z',
    '2025-02-29T09:00:00Z',
    '2026-04-31T09:00:00Z',
    '2026-01-32T09:00:00Z',
    '2026-01-00T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-00-01T09:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:00:60Z',
    '2026-01-31T09:00:00+24:00',
    '2026-01-31T09:00:00',
    '2026-01-31T09:00:00.Z',
    '2026-01-31',
    'x2026-01-31T09:00:00Z',
    '2026-01-31T09:00:00Zx',
  ])
    fails(
      rule,
      text,
      `invalid_format: expected an ISO 8601 date-time such as 2026-01-31T09:00:00.000Z, received ${JSON.stringify(text)}`,
    );
});

test('the year of a timestamp has four digits in UTC, so that strings sort by time', () => {
  const rule: TextRule = { kind: 'timestamp' };
  passes(rule, '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z');
  passes(rule, '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z');
  for (const text of ['9999-12-31T23:00:00-05:00', '0000-01-01T00:00:00+00:01'])
    fails(rule, text, `custom: expected a year from 0000 to 9999 in UTC, received "${text}"`);
});

test('a guid has 32 hexadecimal digits', () => {
  const guid = '0123ABCD-4567-89ef-0123-456789abcdef';
  passes({ kind: 'guid' }, guid);
  for (const text of ['', `${guid}0`, `0${guid}`, guid.replaceAll('-', ''), guid.replace('0', 'g')])
    fails({ kind: 'guid' }, text, `invalid_format: expected a UUID, received ${JSON.stringify(text)}`);
});

test('a URL has an allowed scheme or none, even if it contains characters that browsers ignore', () => {
  const rule: TextRule = { kind: 'address', schemes: ['http', 'https'] };
  for (const text of ['https://a.example', 'HTTP://a.example', '//a.example', '/path', 'a/b:c', '', '1http:x'])
    passes(rule, text);
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:x',
    'java\nscript:x',
    '\u0001javascript:x',
    'x+y.z-1:a',
    'mailto:a',
  ])
    fails(rule, text, 'custom: expected a URL with http: or https:');
});

test('a bounded value may equal its bound', () => {
  const problems: Problem[] = [];
  expect(bounded(1, { min: 1, max: 1 }, problems, 'item')).toBe(1);
  expect(bounded(9, {}, problems, 'item')).toBe(9);
  expect(bounded(3, { min: 3, max: 3 }, problems)).toBe(3);
  expect(problems).toEqual([]);
});
