import { beforeEach, expect, test } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from './world.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

test('reset brings a world back to its initial state', async () => {
  const before = await (await visit(world).send('/public/ads/formats/BANNER')).text();
  world.fail('*', 500);
  world.hold('tags.list');
  world.clock.advance('1d');
  world.put({ tags: [{ id: 'new', name: 'New' }] });
  world.reset();
  expect(world.journal).toEqual([]);
  expect((await visit(world).send('/public/tags/new')).status).toBe(404);
  world.reset();
  expect(await (await visit(world).send('/public/ads/formats/BANNER')).text()).toBe(before);
});

test('restore brings back tokens, counters and time', async () => {
  const { id, clickToken } = await visit(world).deliver();
  const state = world.snapshot();
  const click = async () => (await visit(world).post('/public/ads/tracking/click', { clickToken })).status;
  expect(await click()).toBe(200);
  world.clock.advance('1h');
  world.restore(state);
  expect([world.ad(id).clicks, world.tokens.used.length]).toEqual([0, 0]);
  expect(await click()).toBe(200);
  expect(() => mock.main.restore(state)).toThrow(/expected a snapshot of world main; received one of world-/);
});

test('changes after a snapshot, or after its restore, do not change the snapshot', async () => {
  const first = await visit(world).deliver();
  const state = world.snapshot();
  const later = [];
  for (let round = 0; round < 2; round += 1) {
    world.restore(state);
    const second = await visit(world).deliver();
    expect(await visit(world).click(second.clickToken)).toBe(200);
    world.put({ tags: [{ id: 'new', name: 'New' }] });
    later.push([second, world.tokens.issued.length, world.tokens.used.length, visit(world).impressions()]);
    world.restore(state);
    expect([world.tokens.issued.map(({ token }) => token), world.tokens.used]).toEqual([[first.clickToken], []]);
    expect((await visit(world).send('/public/tags/new')).status).toBe(404);
  }
  expect(later[1]).toEqual(later[0]);
});

test('restoring an invalid snapshot changes nothing', async () => {
  const state = world.snapshot();
  world.put({ tags: [{ id: 'new', name: 'New' }] });
  const { blog } = world;
  for (const other of [{ world: world.name }, { ...JSON.parse(JSON.stringify(state)), content: {} }]) {
    expect(() => world.restore(other)).toThrow();
  }
  expect(world.blog).toEqual(blog);
  expect((await visit(world).send('/public/tags/new')).status).toBe(200);
  expect(() => world.restore(undefined as never)).toThrow(/snapshot of world world-\d+; received one of undefined/);
});
