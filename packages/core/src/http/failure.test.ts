import { expect, test } from 'vitest';
import { Failure } from './failure.ts';

const fields = [
  { field: 'limit', message: 'limit: must be at most 100', code: 'too_big' },
  { field: 'offset', message: 'offset: must be at least 0', code: 'too_small' },
];

test('a failure says what it is given, else what is wrong with each field, else what its code means', () => {
  expect(new Failure('VALIDATION_ERROR', { message: 'No.', fields }).message).toBe('No.');
  expect(new Failure('VALIDATION_ERROR', { fields }).message).toBe(
    'limit: must be at most 100; offset: must be at least 0',
  );
  expect(new Failure('CLICK_TOKEN_USED').message).toMatch(/^\S.*click/i);
});

test('what went wrong inside is its cause, and a stack begins with its name', () => {
  const cause = new Error('disk');
  expect(new Failure('INTERNAL_ERROR', { cause })).toMatchObject({ name: 'Failure', cause });
});
