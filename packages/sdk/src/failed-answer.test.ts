import { ERRORS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';
import { CODE_BY_STATUS, TRANSIENT } from './status.ts';

test('an answer without a code gets the one that the catalogue has for its status', () => {
  const catalogue = Object.entries(ERRORS);
  for (const [status, code] of Object.entries(CODE_BY_STATUS)) expect(ERRORS[code].status).toBe(Number(status));
  expect(new Set(catalogue.map(([, { status }]) => String(status)))).toEqual(new Set(Object.keys(CODE_BY_STATUS)));
});

test('a status is transient when the catalogue says so', () => {
  for (const { status, retryable } of Object.values(ERRORS))
    expect(TRANSIENT.includes(status), `${status}`).toBe(retryable);
});

test('Retry-After is read in seconds and as a date', () => {
  const now = Date.parse('2026-01-31T09:00:00Z');
  expect(readRetryAfter('2', now)).toBe(2000);
  expect(readRetryAfter('Sat, 31 Jan 2026 09:00:30 GMT', now)).toBe(30_000);
  expect(readRetryAfter('Sat, 31 Jan 2026 08:00:00 GMT', now)).toBe(0);
  for (const unread of [null, '', 'soon']) expect(readRetryAfter(unread, now)).toBeUndefined();
});
