import type { SnapshotBlogInput } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { createFactories } from '../src/data/factories.ts';
import { createMock } from '../src/node.ts';
import type { World } from '../src/worlds/world.ts';
import { visit } from './support/visit.ts';

const exported: SnapshotBlogInput = { id: 'magazine', name: 'Magazine', apiKeys: ['key-one', 'key-two'] };
const READER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

test('a second world of an exported blog is refused while its keys are taken', async () => {
  const mock = createMock();
  const first = mock.world({ blog: { ...exported, tags: [{ id: 'old', name: 'Old' }] } });
  expect(() => mock.world({ blog: exported, name: 'second' })).toThrow(
    'mock.world: the key key-one belongs to world-1; drop that world, or pass another apiKey, or a blog without apiKeys',
  );
  expect((await visit(first).send('/public/tags/old')).status).toBe(200);
  expect(first.calls['tags.get']).toHaveLength(1);
  // The name of the refused world is free, and so are the keys once their world is dropped.
  expect(mock.world({ name: 'second', blog: exported, apiKey: 'another' }).apiKey).toBe('another');
  mock.drop(first);
  expect(mock.world({ blog: exported }).apiKey).toBe('key-one');
});

test('a world keeps its keys after a restore', async () => {
  const mock = createMock();
  const before = mock.world({ name: 'a', apiKey: 'shared' });
  const state = before.snapshot();
  mock.drop(before);
  const [owner, later] = [mock.world({ name: 'b', apiKey: 'shared' }), mock.world({ name: 'a', apiKey: 'own' })];
  later.restore(state);
  expect(later.apiKey).toBe('own');
  for (const world of [owner, later]) expect((await visit(world).send('/public/tags')).status).toBe(200);
  expect([owner, later].map(({ journal }) => journal.length)).toEqual([1, 1]);
});

test('a dropped world gets no requests with a preview token, even if its name is taken again', async () => {
  const mock = createMock();
  const old = mock.world({ name: 'same' });
  mock.drop(old);
  const world = mock.world({ name: 'same' });
  const status = async (token: string) =>
    (await mock.fetch(`${mock.baseUrl}/preview/post`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const [late, good] = [await old.preview('post-1'), await world.preview('post-2')];
  expect([await status(late), await status(good)]).toEqual([401, 200]);
});

const endings: readonly [string, (world: World) => void][] = [
  ['reset', (world) => world.reset()],
  ['restore', (world) => world.restore(world.snapshot())],
];

test.each(endings)('%s aborts requests that wait, before they have an effect', async (_, end) => {
  const world = createMock().main;
  const gate = world.hold('ads.deliver');
  world.delay('ads.deliverBatch', '1s');
  const slots = [{ slotId: 'a', format: 'BANNER' }];
  const responses = [
    visit(world).send('/public/ads/formats/POPUP'),
    visit(world).post('/public/ads/formats', { slots }),
  ];
  await gate.arrived();
  await expect.poll(() => world.clock.waiting).toBe(1);
  end(world);
  for (const response of responses) await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  expect([gate.held, world.clock.waiting]).toEqual([0, 0]);
  gate.release();
  world.clock.advance('1m');
  await visit(world).send('/public/tags');
  expect([visit(world).impressions(), world.tokens.issued]).toEqual([0, []]);
});

test('a request that is under way during a reset leaves nothing in the world', async () => {
  const world = createMock().main;
  const responses = Array.from({ length: 20 }, async (_, index) => {
    const response = visit(world).send('/public/ads/formats/POPUP?typo=1');
    for (let turn = 0; turn < index; turn += 1) await Promise.resolve();
    return response.catch(() => undefined);
  });
  for (let turn = 0; turn < 15; turn += 1) await Promise.resolve();
  world.reset();
  await Promise.all(responses);
  expect([visit(world).impressions(), world.tokens.issued, world.journal, world.offContract]).toEqual([0, [], [], []]);
});

test('an endless body ends when its world is reset', async () => {
  const world = createMock().main;
  world.fail('tags.list', 'stall');
  const body = (await visit(world).send('/public/tags')).text();
  world.reset();
  await expect(body).rejects.toThrow();
});

test.each(endings)('after a %s, no rule remembers earlier visitors', async (ending, end) => {
  const [ad] = createFactories().stored.ad.list(1, { format: 'POPUP', campaignId: 'spring' });
  const campaigns = [{ id: 'spring', sponsor: 'Ink', name: 'Spring', goal: { impressions: 50 } }];
  const world = createMock().world({ blog: { name: 'B', campaigns, ads: ad ? [ad] : [] } });
  const clean = world.snapshot();
  const filled = async () => {
    const results = [];
    for (let delivery = 0; delivery < 55; delivery += 1) {
      const response = await visit(world).send('/public/ads/formats/POPUP', { headers: READER });
      results.push((await response.json()).filled);
    }
    return results.filter(Boolean).length;
  };
  expect(await filled()).toBe(50);
  if (ending === 'restore') world.restore(clean);
  else end(world);
  expect(await filled()).toBe(50);
});

test('a second world of a blog that was changed in between has the changed blog', async () => {
  const mock = createMock();
  const tags = [{ id: 'a', name: 'A' }];
  const blog = { name: 'B', tags };
  mock.world({ blog });
  tags.push({ id: 'b', name: 'B' });
  const second = mock.world({ blog });
  const { data } = (await (await visit(second).send('/public/tags')).json()) as { data: object[] };
  expect([second.blog.tags, data]).toMatchObject([tags, tags]);
});

test('world.blog cannot be changed by accident', () => {
  const { main } = createMock();
  expect(() => (main.blog.tags as object[]).pop()).toThrow(TypeError);
  expect(() => Object.assign(main.blog.posts?.[0] ?? {}, { title: 'Changed' })).toThrow(TypeError);
});

test('world.blog shows a scheduled post as published once it is due', async () => {
  const { main } = createMock();
  const post = {
    id: 'soon',
    title: 'Soon',
    slug: 'soon',
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T13:00:00.000Z',
  };
  main.put({ posts: [post as { id: string }] });
  const status = () => main.blog.posts?.find(({ id }) => id === 'soon')?.status;
  expect(status()).toBe('SCHEDULED');
  main.clock.advance('1h');
  expect(status()).toBe('PUBLISHED');
  expect((await visit(main).send('/public/posts/soon')).status).toBe(200);
});

test('put leaves undefined fields unchanged', () => {
  const { main } = createMock();
  main.put({ timeZone: 'Europe/Berlin', domains: ['a.example'] });
  main.put({ timeZone: undefined, domains: undefined, name: undefined } as object);
  expect(main.blog).toMatchObject({ timeZone: 'Europe/Berlin', domains: ['a.example'], name: 'The Sample Broadsheet' });
});

test('a snapshot keeps the dates of every item after a round trip through JSON', async () => {
  const world = createMock().world({ blog: { name: 'B', posts: [{ id: 'p', title: 'P', slug: 'p' }] } });
  const read = async () => (await (await visit(world).send('/public/posts/p')).json()).data;
  const before = await read();
  world.clock.advance('2h');
  world.restore(JSON.parse(JSON.stringify(world.snapshot())));
  expect(await read()).toEqual(before);
});
