import { beforeEach, expect, test, vi } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

test('two responses can be released in reverse order', async () => {
  const order: string[] = [];
  const first = world.hold('search', { times: 1 });
  const second = world.hold('search', { times: 1 });
  const one = visit(world)
    .send('/public/search?q=the')
    .then(() => order.push('one'));
  await first.arrived();
  const two = visit(world)
    .send('/public/search?q=train')
    .then(() => order.push('two'));
  await second.arrived();
  expect([first.held, second.held]).toEqual([1, 1]);
  second.release();
  await two;
  first.release();
  await one;
  expect(order).toEqual(['two', 'one']);
});

test('a delay runs in the time of the world', async () => {
  world.delay('tags.list', '300ms');
  let status: number | undefined;
  const pending = visit(world)
    .send('/public/tags')
    .then((response) => {
      status = response.status;
    });
  await visit(world).send('/public/categories');
  expect([status, world.clock.waiting]).toEqual([undefined, 1]);
  world.clock.advance('300ms');
  await pending;
  expect(status).toBe(200);
});

test('a request that was aborted before it was sent has no effect', async () => {
  const { send, impressions } = visit(world);
  const response = send('/public/ads/formats/POPUP', { signal: AbortSignal.abort(new Error('gone')) });
  await expect(response).rejects.toThrow('gone');
  expect(impressions()).toBe(0);
});

test('an abort ends a call that a gate or a delay holds', async () => {
  world.hold('tags.list');
  world.delay('posts.list', '1s');
  for (const path of ['/public/tags', '/public/posts']) {
    const controller = new AbortController();
    const response = visit(world).send(path, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(response).rejects.toThrow('gone');
  }
});

test('a call waits for every closed gate that matches it', async () => {
  const [one, all] = [world.hold('search'), world.hold('*')];
  let status: number | undefined;
  const pending = visit(world)
    .send('/public/search?q=the')
    .then((response) => {
      status = response.status;
    });
  await Promise.all([one.arrived(), all.arrived()]);
  one.release();
  await visit(world).send('/public/nothing');
  expect([status, all.held]).toEqual([undefined, 1]);
  all.release();
  await pending;
  expect(status).toBe(200);
});

test('a gate whose only call was aborted is not reported as unfinished', async () => {
  const gate = world.hold('search', { times: 1 });
  const controller = new AbortController();
  const response = visit(world).send('/public/search?q=the', { signal: controller.signal });
  await gate.arrived();
  controller.abort();
  await expect(response).rejects.toThrow();
  expect(world.unfinished()).toEqual([]);
});

test('a gate warns when nothing arrives within one second', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const gate = world.hold('posts.list');
    const arrived = gate.arrived();
    vi.advanceTimersByTime(999);
    expect(warn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(warn.mock.calls.join()).toMatch(/hold\('posts.list'\): nothing arrived.*lists are sent when awaited/);
    const response = visit(world).send('/public/posts');
    await arrived;
    gate.release();
    expect((await response).status).toBe(200);
  } finally {
    vi.useRealTimers();
    warn.mockRestore();
  }
});
