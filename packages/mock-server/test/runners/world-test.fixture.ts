import assert from 'node:assert/strict';
import { createMock, type World } from '@broadsheet/mock-server';
import { type TestRunner, worldTest } from '@broadsheet/mock-server/jest';

// The runners run this, each with its own `test` and `afterEach`, and some of the tests fail on purpose.

/** Defines the tests for a runner, or for the one that has global functions. */
export function defineTests(runner?: TestRunner): void {
  const mock = createMock();
  const withWorlds = worldTest(mock, {}, runner);
  const get = async (world: World, path: string): Promise<number> =>
    (await mock.fetch(`${mock.baseUrl}${path}`, { headers: { 'X-API-Key': world.apiKey } })).status;
  const seen: string[] = [];

  withWorlds('passes', async ({ world }) => {
    seen.push(world.apiKey);
    world.fail('tags.list', 500);
    assert.equal(await get(world, '/public/tags'), 500);
  });
  withWorlds('has a world of its own', async ({ world }) => {
    assert.equal(await get(world, '/public/tags'), 200);
    assert.equal(
      (await mock.fetch(`${mock.baseUrl}/public/tags`, { headers: { 'X-API-Key': seen[0] ?? '' } })).status,
      401,
    );
  });
  withWorlds('is off the contract', async ({ world }) => void (await get(world, '/public/posts?limit=1000')));
  withWorlds('leaves faults and gates', async ({ world }) => {
    world.fail('search', 503);
    const gate = world.hold('posts.list');
    get(world, '/public/posts').catch(() => undefined);
    await gate.arrived();
    assert.equal('spinner', 'posts', 'what the page shows');
  });
  withWorlds(
    'runs out of time',
    async ({ world }) => {
      world.hold('categories.list');
      await get(world, '/public/categories');
      await new Promise(() => undefined);
    },
    300,
  );
  withWorlds.skip('is left out', () => assert.fail('it ran'));
}
