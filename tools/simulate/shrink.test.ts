import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

test('a history is reduced to the actions that it needs to fail', async () => {
  const items = Array.from({ length: 60 }, (_, index) => index);
  const fails = async (some: readonly number[]) => [7, 31, 59].every((needed) => some.includes(needed));
  expect(await shrink(items, fails)).toEqual([7, 31, 59]);
});
