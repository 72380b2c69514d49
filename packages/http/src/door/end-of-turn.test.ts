import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { atEndOfTurn } from './end-of-turn.ts';

test('items are handled at the end of their turn, in order, and each once', async () => {
  const handled: number[] = [];
  const handle = atEndOfTurn<number>((item) => handled.push(item));
  handle(1);
  await Promise.resolve();
  handle(2);
  expect(handled).toEqual([]);
  await turn();
  expect(handled).toEqual([1, 2]);
  handle(3);
  await turn();
  expect(handled).toEqual([1, 2, 3]);
});

test('what comes while others are handled waits for the next turn', async () => {
  const handled: number[] = [];
  const handle = atEndOfTurn<number>((item) => {
    handled.push(item);
    if (item === 1) handle(2);
  });
  handle(1);
  await turn();
  expect(handled).toEqual([1]);
  await turn();
  expect(handled).toEqual([1, 2]);
});

test('turns end whatever tests make of the clock', async () => {
  const handled = new Promise((resolve) => {
    vi.useFakeTimers();
    atEndOfTurn(resolve)('handled');
  });
  try {
    expect(await handled).toBe('handled');
  } finally {
    vi.useRealTimers();
  }
});
