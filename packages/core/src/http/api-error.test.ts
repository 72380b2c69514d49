import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';

const fields = [
  { field: 'limit', message: 'limit: must be at most 100', code: 'too_big' },
  { field: 'offset', message: 'offset: must be at least 0', code: 'too_small' },
];

test('the message is the given one, otherwise the field errors, otherwise the summary of the code', () => {
  expect(new ApiError('VALIDATION_ERROR', { message: 'No.', fields }).message).toBe('No.');
  expect(new ApiError('VALIDATION_ERROR', { fields }).message).toBe(
    'limit: must be at most 100; offset: must be at least 0',
  );
  expect(new ApiError('CLICK_TOKEN_USED').message).toMatch(/^\S.*click/i);
});

test('an internal cause is kept as the cause', () => {
  const cause = new Error('disk');
  expect(new ApiError('INTERNAL_ERROR', { cause })).toMatchObject({ name: 'ApiError', cause });
});
