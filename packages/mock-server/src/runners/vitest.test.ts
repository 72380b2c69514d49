import { test as base, expect } from 'vitest';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import { worldFixture } from './vitest.ts';

const mock = createMock();
const test = base.extend<{ world: World }>({ world: worldFixture(mock) });

const status = async (world: World, path: string) =>
  (await mock.fetch(`${mock.baseUrl}${path}`, { headers: { 'X-API-Key': world.apiKey } })).status;

test('each test gets a world', async ({ world }) => {
  world.fail('*', 500);
  expect(await status(world, '/public/tags')).toBe(500);
});

test('concurrent tests get one world each, which is dropped when its test ends', async () => {
  const worlds: World[] = [];
  const both = Promise.withResolvers<void>();
  const run = async (world: World) => {
    if (worlds.push(world) === 2) both.resolve();
    await both.promise;
    if (world === worlds[0]) world.fail('*', 500);
    expect(await status(world, '/public/tags')).toBe(world === worlds[0] ? 500 : 200);
  };
  await Promise.all([worldFixture(mock)({}, run), worldFixture(mock)({}, run)]);
  const [one, other] = worlds as [World, World];
  expect(one.apiKey).not.toBe(other.apiKey);
  expect([await status(one, '/public/tags'), await status(other, '/public/tags')]).toEqual([401, 401]);
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

test('the report of a failed test lists faults that matched no request, and pending responses', async () => {
  const unlucky = async (world: World) => {
    world.fail('search', 500);
    world.fail('*', 'cut').lift();
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
        'possible causes of the failure:',
        '  responses waiting for world.clock.advance(): 1',
        "  responses held by hold('posts.list'): 1",
        "  fail('search', 500) matched no request",
        "  fail('*', 'cut') matched no request",
      ].join('\n'),
    ),
  );
  await expect(worldFixture(mock)({ task: { result: { state: 'pass' } } }, unlucky)).resolves.toBeUndefined();
});

test('with `strict` a test fails if a fault or a gate matched no request', async () => {
  const run = (use: (world: World) => unknown, strict: boolean) =>
    worldFixture(mock, { strict })({ task: { result: { state: 'pass' } } }, async (world) => void (await use(world)));
  const unused = (world: World) => {
    world.fail('search', 500);
    world.hold('posts.list');
  };
  await expect(run(unused, true)).rejects.toThrow(
    "strict: the test left this unfinished:\n  hold('posts.list') matched no request\n  fail('search', 500) matched no request",
  );
  await expect(run(unused, false)).resolves.toBeUndefined();
  const used = async (world: World) => {
    world.fail('tags.list', 500);
    await status(world, '/public/tags');
  };
  await expect(run(used, true)).resolves.toBeUndefined();
});
