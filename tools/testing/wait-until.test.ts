import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';

test('waitUntil() checks until the condition holds, and then stops', async () => {
  let looks = 0;
  await waitUntil('the third look', () => ++looks === 3);
  expect(looks).toBe(3);
});

test('a timeout names the condition, and an error of the check ends the wait at once', async () => {
  await expect(waitUntil('the bus', async () => false, 1)).rejects.toThrow('waited 1 ms in vain: the bus');
  const gone = () => {
    throw new Error('it ended');
  };
  await expect(waitUntil('the bus', gone)).rejects.toThrow('it ended');
});
