import { expect, test } from 'vitest';
import { DeliveryError, errorOf } from './delivery-error.ts';

test.each([
  ['a 429 from a proxy', 429, undefined, true],
  ['a 503 from a proxy', 503, undefined, true],
  ['a 502 from a proxy', 502, undefined, false],
  ['a 504 from a proxy', 504, undefined, false],
  ['a 408', 408, undefined, false],
  ['a 500 from the API that allows it', 500, true, true],
  ['a 408 with an envelope that allows it', 408, true, false],
  ['a 502 with an envelope that allows it', 502, true, false],
  ['a 504 with an envelope that allows it', 504, true, false],
  ['a 503 from the API that forbids it', 503, false, false],
  ['a 401', 401, false, false],
  ['a 200 without results', 200, undefined, false],
])('a delivery may be repeated only if it cannot have counted anything: %s', (_, status, retryable, mayRepeat) => {
  expect(new DeliveryError(status, 'failed', 0, retryable).mayRepeat).toBe(mayRepeat);
});

test.each([
  ['30', 30_000],
  ['5, 5', 5000],
  ['5, 30', 30_000],
  ['-1', 0],
  ['5;q=1', 0],
  ['soon', 0],
  ['', 0],
])('Retry-After: %j is a wait of %i ms', async (wait, retryAfter) => {
  const response = new Response('<h1>Down</h1>', { status: 503, headers: { 'Retry-After': wait } });
  expect(await errorOf(response, 'formats?idempotencyKey=1', undefined)).toMatchObject({
    status: 503,
    retryAfter,
    mayRepeat: true,
    message: 'formats returned 503: ',
  });
});
