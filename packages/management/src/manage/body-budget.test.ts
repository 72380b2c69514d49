import { expect, it } from 'vitest';
import { createBodyBudget } from './body-budget.ts';

it('each sender has its own byte limit', () => {
  const take = createBodyBudget(10);
  const first = take('a', 6);
  expect([take('a', 5), first !== undefined, take('b', 6) !== undefined]).toEqual([undefined, true, true]);
  const second = take('a', 4);
  expect(take('a', 1)).toBeUndefined();
  second?.();
  first?.();
  expect(take('a', 10)).toBeDefined();
});

it('a single request is always accepted', () => {
  const take = createBodyBudget(10);
  const release = take('a', 11);
  expect([release !== undefined, take('a', 0)]).toEqual([true, undefined]);
  release?.();
  expect(take('a', 11)).toBeDefined();
});
