import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

test('Retry-After is read in seconds and as a date', () => {
  const now = Date.parse('2026-01-31T09:00:00Z');
  expect(readRetryAfter('2', now)).toBe(2000);
  expect(readRetryAfter('Sat, 31 Jan 2026 09:00:30 GMT', now)).toBe(30_000);
  expect(readRetryAfter('Sat, 31 Jan 2026 08:00:00 GMT', now)).toBe(0);
  for (const unread of [null, '', 'soon']) expect(readRetryAfter(unread, now)).toBeUndefined();
});
