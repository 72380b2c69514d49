import type { ApiCall, CallAnswer } from '@broadsheet/core';
import { expect, it } from 'vitest';
import { shareFairly } from './fair-share.ts';

/** Calls that run until the test ends them. */
function server() {
  const layer = shareFairly();
  const running: { readonly blog: string; readonly end: () => void }[] = [];
  const call = (blog: string) => {
    const request = { findBlog: () => ({ id: blog }) } as unknown as ApiCall;
    return layer(request, () => {
      const { promise, resolve } = Promise.withResolvers<CallAnswer>();
      running.push({ blog, end: () => resolve({ status: 200, headers: {}, body: null }) });
      return promise;
    });
  };
  const count = (blog: string) => running.filter((one) => one.blog === blog).length;
  return { call, count, running };
}

it('all calls of a blog run in parallel while no other blog has calls', () => {
  const { call, count } = server();
  for (let number = 0; number < 64; number += 1) void call('a');
  expect(count('a')).toBe(64);
});

it('while several blogs have calls, each runs a few in parallel and the rest in order', async () => {
  const { call, count, running } = server();
  void call('b');
  const calls = Array.from({ length: 64 }, () => call('a'));
  expect([count('a'), count('b')]).toEqual([16, 1]);
  void call('b');
  expect(count('b')).toBe(2);
  for (let ended = 0; ended < running.length; ended += 1) {
    running[ended]?.end();
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  expect(count('a')).toBe(64);
  expect((await Promise.all(calls)).every((answer) => answer.status === 200)).toBe(true);
});

it('a call that fails makes room for the next', async () => {
  const layer = shareFairly();
  const call = (blog: string, answer: () => Promise<CallAnswer>) =>
    layer({ findBlog: () => ({ id: blog }) } as unknown as ApiCall, answer);
  await call('b', async () => ({ status: 200, headers: {}, body: null }));
  const failing = Array.from({ length: 10 }, () => call('a', () => Promise.reject(new Error('away'))));
  const results = await Promise.allSettled(failing);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
});
