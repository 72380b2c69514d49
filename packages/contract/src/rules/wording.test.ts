import { expect, test } from 'vitest';
import { FORMS, fieldError, show, tooBig, tooSmall, unknownKeys, wrongForm, wrongType, wrongValue } from './wording.ts';

test('a problem names its field, and the body when it has none', () => {
  const problem = { text: 'is required', code: 'required' };
  expect(fieldError({ ...problem, path: ['slots', 3, 'format'] })).toEqual({
    field: 'slots.3.format',
    message: 'slots.3.format: is required',
    code: 'required',
  });
  expect(fieldError({ ...problem, path: [] })).toMatchObject({ field: '', message: 'body: is required' });
});

test.each([
  ['string', null, 'expected a string, received null'],
  ['string', [1], 'expected a string, received an array'],
  ['string', 7, 'expected a string, received 7'],
  ['number', {}, 'expected a number, received an object'],
  ['object', 'x', 'expected an object, received "x"'],
  ['array', undefined, 'expected an array, received an undefined'],
  ['int', 1.5, 'expected a whole number, received 1.5'],
])('a type other than %s: %j', (expected, value, text) => {
  expect(wrongType(expected, value)).toBe(text);
});

test('a wrong value or format is reported with what was expected and received', () => {
  expect(wrongValue(['BANNER', 'POPUP'], 'banner')).toBe('expected "BANNER" or "POPUP", received "banner"');
  expect(wrongForm(FORMS.guid, 'x')).toBe('expected a UUID, received "x"');
});

test('bounds apply to a number, or to a length with its unit', () => {
  expect(tooSmall(1)).toBe('must be at least 1');
  expect(tooBig(100)).toBe('must be at most 100');
  expect(tooSmall(1, 'character')).toBe('must be at least 1 character long');
  expect(tooBig(20, 'item')).toBe('must be at most 20 items long');
});

test('unknown keys are listed', () => {
  expect(unknownKeys(['a', 'b'])).toBe('unknown: a, b');
});

test('a value is shown as JSON of at most 60 characters', () => {
  expect(show('x')).toBe('"x"');
  expect(show(undefined)).toBe('undefined');
  const longest = 'x'.repeat(58);
  expect(show(longest)).toBe(`"${longest}"`);
  expect(show(`${longest}x`)).toBe(`"${'x'.repeat(56)}...`);
});
