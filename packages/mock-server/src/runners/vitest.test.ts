import { test as base, describe, expect } from 'vitest';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import { worldFixture } from './vitest.ts';

const mock = createMock();
const test = base.extend<{ world: World }>({ world: worldFixture(mock) });
const seen = new Set<string>();

const status = async (world: World, path: string) =>
  (await mock.fetch(`${mock.baseUrl}${path}`, { headers: { 'X-API-Key': world.apiKey } })).status;

describe.concurrent('each test has a world', () => {
  test('one that fails', async ({ world }) => {
    seen.add(world.apiKey);
    world.fail('*', 500);
    expect(await status(world, '/public/tags')).toBe(500);
  });
  test('one that does not', async ({ world }) => {
    seen.add(world.apiKey);
    expect(await status(world, '/public/tags')).toBe(200);
  });
});

test('none twice, and none is left behind', async () => {
  expect(seen.size).toBe(2);
  for (const apiKey of seen) {
    const headers = { 'X-API-Key': apiKey };
    expect((await mock.fetch(`${mock.baseUrl}/public/tags`, { headers })).status).toBe(401);
  }
});

test('a request off the contract fails the test that sent it', async () => {
  const run = worldFixture(mock)({}, async (world) => void (await status(world, '/public/posts?limit=1000')));
  await expect(run).rejects.toThrow(/limit: must be at most 100/);
  const forgiven = worldFixture(mock)({}, async (world) => {
    await status(world, '/public/posts?limit=1000');
    world.forgive();
  });
  await expect(forgiven).resolves.toBeUndefined();
});

test('of a test that failed the report names faults that met no request, and what waits', async () => {
  const unlucky = async (world: World) => {
    world.fail('search', 500);
    world.disrupt('*', 'cut').lift();
    const fault = world.fail('tags.list', 503);
    expect([await status(world, '/public/tags'), fault.hits]).toEqual([503, 1]);
    world.delay('categories.list', '1s');
    const gate = world.hold('posts.list');
    for (const path of ['/public/categories', '/public/posts']) status(world, path).catch(() => undefined);
    await gate.arrived();
    while (world.clock.waiting === 0) await Promise.resolve();
  };
  await expect(worldFixture(mock)({ task: { result: { state: 'fail' } } }, unlucky)).rejects.toThrow(
    new Error(
      [
        'what may be why the test failed:',
        '  1 answer(s) wait for world.clock.advance()',
        "  hold('posts.list') holds 1 answer(s)",
        "  fail('search', 500) met no request",
        "  disrupt('*', 'cut') met no request",
      ].join('\n'),
    ),
  );
  await expect(worldFixture(mock)({ task: { result: { state: 'pass' } } }, unlucky)).resolves.toBeUndefined();
});
