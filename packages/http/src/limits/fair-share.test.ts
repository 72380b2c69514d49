import { once } from 'node:events';
import { connect } from 'node:net';
import type { BlogCall, CallResponse } from '@broadsheet/core';
import { expect, it, onTestFinished } from 'vitest';
import { TEST_BLOG } from '../../test/memory-server-store.ts';
import { serveMemory } from '../../test/serve-memory.ts';
import { shareFairly } from './fair-share.ts';

/** Calls that run until the test ends them. */
function server() {
  const layer = shareFairly();
  const running: { readonly blog: string; readonly end: () => void }[] = [];
  const call = (blog: string) => {
    const request = { request: { method: 'GET' }, blog: { id: blog } } as BlogCall;
    return layer(request, () => {
      const { promise, resolve } = Promise.withResolvers<CallResponse>();
      running.push({ blog, end: () => resolve({ status: 200, headers: {}, body: null }) });
      return promise;
    });
  };
  const count = (blog: string) => running.filter((one) => one.blog === blog).length;
  return { call, count, running };
}

it('all calls of a blog run in parallel while no other blog has calls', async () => {
  const { call, count } = server();
  for (let number = 0; number < 64; number += 1) void call('a');
  await new Promise(setImmediate);
  expect(count('a')).toBe(64);
});

it('while several blogs have calls, each runs a few in parallel and the rest in order', async () => {
  const { call, count, running } = server();
  void call('b');
  const calls = Array.from({ length: 64 }, () => call('a'));
  await new Promise(setImmediate);
  expect([count('a'), count('b')]).toEqual([10, 1]);
  void call('b');
  await new Promise(setImmediate);
  expect(count('b')).toBe(2);
  for (let ended = 0; ended < running.length; ended += 1) {
    running[ended]?.end();
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  expect(count('a')).toBe(64);
  expect((await Promise.all(calls)).every((response) => response.status === 200)).toBe(true);
});

it('a call that fails makes room for the next', async () => {
  const layer = shareFairly();
  const call = (blog: string, next: () => Promise<CallResponse>) =>
    layer({ request: { method: 'GET' }, blog: { id: blog } } as BlogCall, next);
  await call('b', async () => ({ status: 200, headers: {}, body: null }));
  const failing = Array.from({ length: 10 }, () => call('a', () => Promise.reject(new Error('away'))));
  const results = await Promise.allSettled(failing);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
});

it('requests whose bodies never arrive do not stop their blog', async () => {
  const { server, memory } = await serveMemory();
  memory.putBlog({ ...TEST_BLOG, id: 'other', apiKeys: ['other-key'], ads: [] }, Date.now());
  const { hostname, port } = new URL(server.url);
  const read = async (key: string) =>
    (await fetch(`${server.url}/public/tags`, { headers: { 'x-api-key': key } })).status;
  for (const path of ['ads/tracking/click', 'ads/formats']) {
    for (let number = 0; number < 16; number += 1) {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.write(
        `POST /public/${path} HTTP/1.1\r\nhost: x\r\nx-api-key: test-key\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{`,
      );
      // "100 Continue": the server has begun to read the body.
      await once(socket, 'data');
    }
    expect(await read('other-key')).toBe(200);
    expect(await read('test-key')).toBe(200);
  }
});
