import { ERRORS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { CODE_BY_STATUS, TRANSIENT } from './api-failure.ts';

test('an answer without a code gets the one that the catalogue has for its status', () => {
  const catalogue = Object.entries(ERRORS);
  for (const [status, code] of Object.entries(CODE_BY_STATUS)) expect(ERRORS[code].status).toBe(Number(status));
  expect(new Set(catalogue.map(([, { status }]) => String(status)))).toEqual(new Set(Object.keys(CODE_BY_STATUS)));
});

test('a status is transient when the catalogue says so', () => {
  for (const { status, retryable } of Object.values(ERRORS))
    expect(TRANSIENT.includes(status), `${status}`).toBe(retryable);
});
