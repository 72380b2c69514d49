import { ERRORS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { BY_STATUS, readRetryAfter, TRANSIENT } from './api-error.ts';

test('the code for a status without a code is one of the catalogue with that status', () => {
  const catalogue = Object.entries(ERRORS);
  for (const [status, [, code]] of Object.entries(BY_STATUS)) expect(ERRORS[code].status).toBe(Number(status));
  expect(new Set(catalogue.map(([, { status }]) => String(status)))).toEqual(new Set(Object.keys(BY_STATUS)));
});

test('a status is transient when the catalogue says so', () => {
  for (const { status, retryable } of Object.values(ERRORS))
    expect(TRANSIENT.includes(status), `${status}`).toBe(retryable);
});

const now = Date.parse('2026-01-31T09:00:00Z');
const read = (headers: Record<string, string>): number | undefined => readRetryAfter(new Headers(headers), now);

test('Retry-After is read in seconds and as a date', () => {
  expect(read({ 'retry-after': '2' })).toBe(2000);
  expect(read({ 'retry-after': '1.25' })).toBe(1250);
  expect(read({ 'retry-after': 'Sat, 31 Jan 2026 09:00:30 GMT' })).toBe(30_000);
  expect(read({ 'retry-after': 'Sat, 31 Jan 2026 08:00:00 GMT' })).toBe(0);
  // Not an HTTP date, but servers send it.
  expect(read({ 'retry-after': '2026-01-31T09:00:30+00:00' })).toBe(30_000);
  for (const unread of ['', 'soon']) expect(read({ 'retry-after': unread })).toBeUndefined();
  expect(read({})).toBeUndefined();
});

test('spaces around Retry-After do not matter', () => {
  // The Headers of a nonstandard fetch may not trim values.
  const spaced = { get: (name: string) => (name === 'retry-after' ? '  2 ' : null) } as Headers;
  expect(readRetryAfter(spaced, now)).toBe(2000);
});
