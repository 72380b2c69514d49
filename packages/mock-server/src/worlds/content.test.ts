import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SnapshotBlogInput } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createFactories } from '../data/factories.ts';
import { createMock } from '../node.ts';

const blog: SnapshotBlogInput = {
  id: 'magazine',
  name: 'Magazine',
  apiKeys: ['key-one', 'key-two'],
  posts: [{ id: 'p', title: 'Real', slug: 'real' }],
};

test('a world keeps the id and keys of its blog, or of a snapshot of one blog', async () => {
  for (const given of [blog, { blogs: [blog] }]) {
    const mock = createMock();
    const world = mock.world({ blog: given });
    expect([world.apiKey, world.blog.id]).toEqual(['key-one', 'magazine']);
    for (const key of ['key-one', 'key-two']) {
      const response = await mock.fetch(`${mock.baseUrl}/public/posts/p`, { headers: { 'X-API-Key': key } });
      expect(((await response.json()) as { data: object }).data).toMatchObject({ title: 'Real', blogId: 'magazine' });
    }
  }
});

test('a snapshot of several blogs is refused', () => {
  const given = { blogs: [blog, { ...blog, id: 'other', apiKeys: [] }] };
  expect(() => createMock().world({ blog: given })).toThrow(/blog must be one blog, or a snapshot of one; received/);
});

test('worlds of the same blog share it, but do not see what the others write', async () => {
  const mock = createMock();
  const [one, two] = [mock.world(), mock.world()];
  one.put({ tags: [{ id: 'new', name: 'New' }] });
  await visit(one).deliver();
  expect((await visit(one).send('/public/tags/new')).status).toBe(200);
  expect((await visit(two).send('/public/tags/new')).status).toBe(404);
  expect([visit(one).impressions(), visit(two).impressions()]).toEqual([1, 0]);
});

test('a snapshot keeps the counts of placements after a round trip through JSON', async () => {
  const world = createMock().main;
  await visit(world).post('/public/ads/formats', { slots: [{ slotId: 'top', format: 'BANNER' }] });
  // The API has no placements, so they are read from the JSON.
  const placements = () => JSON.parse(JSON.stringify(world.snapshot())).content.events.counts;
  const before = placements();
  expect(before).toMatchObject([[expect.any(String), { placement: 'top', delivered: 1 }]]);
  world.restore(JSON.parse(JSON.stringify(world.snapshot())));
  expect(placements()).toEqual(before);
});

test('a campaign stops at its daily cap until the clock of the world reaches the next day', async () => {
  const [ad] = createFactories().stored.ad.list(1, { format: 'POPUP', campaignId: 'spring' });
  const world = createMock().world({ blog: { name: 'B' } });
  world.put({ campaigns: [{ id: 'spring', sponsor: 'Ink', name: 'Spring', perDay: 1 }], ads: ad ? [ad] : [] });
  const reader = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const filled = async () =>
    (await (await visit(world).send('/public/ads/formats/POPUP', { headers: reader })).json()).filled;
  expect([await filled(), await filled()]).toEqual([true, false]);
  world.restore(JSON.parse(JSON.stringify(world.snapshot())));
  expect(await filled()).toBe(false);
  world.clock.advance('1d');
  expect([await filled(), await filled()]).toEqual([true, false]);
  world.remove({ campaigns: ['spring'] });
  expect(world.blog.ads?.[0]).not.toHaveProperty('campaignId');
  expect([await filled(), await filled()]).toEqual([true, true]);
});

test('a campaign of a world fills only the slots that it names', async () => {
  const [ad] = createFactories().stored.ad.list(1, { format: 'POPUP', campaignId: 'spring' });
  const campaigns = [{ id: 'spring', sponsor: 'Ink', name: 'Spring', placements: ['letterpress-*'] }];
  const world = createMock().world({ blog: { name: 'B', campaigns, ads: ad ? [ad] : [] } });
  const filled = async () => {
    const slots = ['top', 'letterpress-1'].map((slotId) => ({ slotId, format: 'POPUP' }));
    const response = await visit(world).post('/public/ads/formats', { slots });
    return (await response.json()).map((one: { filled: boolean }) => one.filled);
  };
  expect(await filled()).toEqual([false, true]);
  world.put({ campaigns: [{ id: 'spring', placements: ['top'] }] });
  expect(await filled()).toEqual([true, false]);
  world.restore(JSON.parse(JSON.stringify(world.snapshot())));
  expect(await filled()).toEqual([true, false]);
  expect(() => world.put({ campaigns: [{ id: 'spring', placements: ['a*b'] }] })).toThrow('with * only at its end');
});

test('a daily cap follows the days in the time zone of the blog, by the clock of the world', async () => {
  const [ad] = createFactories().stored.ad.list(1, { format: 'POPUP', campaignId: 'spring' });
  const campaigns = [{ id: 'spring', sponsor: 'Ink', name: 'Spring', perDay: 1 }];
  const content = { name: 'B', timeZone: 'Europe/Berlin', campaigns, ads: ad ? [ad] : [] };
  const world = createMock().world({ blog: content, start: '2026-03-01T22:30:00Z' });
  const filled = async () => (await (await visit(world).send('/public/ads/formats/POPUP')).json()).filled;
  expect([await filled(), await filled()]).toEqual([true, false]);
  world.clock.advance('30m');
  expect([await filled(), await filled()]).toEqual([true, false]);
  world.put({ timeZone: 'UTC' });
  expect(await filled()).toBe(false);
  expect(() => world.put({ timeZone: 'Berlin' })).toThrow(
    'timeZone: expected the name of a time zone, such as Europe/Berlin, America/New_York or UTC, received "Berlin"',
  );
});

test('after a restore from JSON an idempotency key still repeats its delivery', async () => {
  const world = createMock({
    main: { blog: { name: 'One ad', ads: createFactories().stored.ad.list(1, { format: 'POPUP' }) } },
  }).main;
  const deliver = async () => {
    const slots = ['BANNER', 'POPUP'].map((format) => ({ slotId: format, format }));
    const response = await visit(world).post('/public/ads/formats?idempotencyKey=0123456789abcdef', { slots });
    return ((await response.json()) as { id?: string }[]).map(({ id }) => id);
  };
  const first = await deliver();
  world.restore(JSON.parse(JSON.stringify(world.snapshot())));
  expect(await deliver()).toEqual(first);
  expect(visit(world).impressions()).toBe(1);
});

test('another process restores content, counters, tokens, time and random state from a JSON snapshot', async () => {
  const mock = createMock();
  const world = mock.world({ name: 'travels', seed: 'a' });
  world.put({ tags: [{ id: 'new', name: 'New' }] });
  const { id, clickToken } = await visit(world).deliver();
  expect(await visit(world).click(clickToken)).toBe(200);
  world.clock.advance('1m');
  const text = JSON.stringify(world.snapshot());
  const program = `
    import { createMock } from '${new URL('../node.ts', import.meta.url).pathname}';
    const world = createMock().world({ name: 'travels', seed: 'a' });
    world.restore(JSON.parse(process.env.STATE));
    const headers = { 'X-API-Key': world.apiKey, 'Content-Type': 'application/json' };
    const base = world.connection.baseUrl;
    const body = JSON.stringify({ clickToken: process.env.TOKEN });
    const click = await world.fetch(base + '/public/ads/tracking/click', { method: 'POST', headers, body });
    const tag = await world.fetch(base + '/public/tags/new', { headers });
    const next = await (await world.fetch(base + '/public/ads/formats/POPUP', { headers })).json();
    console.log(JSON.stringify([click.status, tag.status, world.ad(process.env.AD), world.tokens.used.length, world.clock.now(), next.id]));`;
  const env = { ...process.env, STATE: text, TOKEN: clickToken, AD: id };
  const args = ['--conditions=@broadsheet/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const next = await visit(world).deliver();
  expect(JSON.parse(stdout)).toEqual([409, 200, world.ad(id), 1, world.clock.now(), next.id]);
  // The same process can restore it too.
  world.restore(JSON.parse(text));
  expect(world.ad(id)).toEqual({ impressions: 1, viewable: 0, clicks: 1 });
});

test('put changes the given fields and the update time of existing items, and adds new items', async () => {
  const { main } = createMock();
  main.clock.advance('1h');
  const before = main.blog.posts?.find(({ id }) => id === 'post-1');
  main.put({ posts: [{ id: 'post-1', title: 'Another title' }], tags: [{ id: 'new', name: 'New' }] });
  expect(main.blog.posts?.find(({ id }) => id === 'post-1')).toEqual({
    ...before,
    title: 'Another title',
    updatedAt: '2026-01-01T13:00:00.000Z',
  });
  const { data } = await (await visit(main).send('/public/posts/post-1')).json();
  expect(data).toMatchObject({ title: 'Another title', slug: before?.slug, content: before?.content });
  expect((await visit(main).send('/public/tags/new')).status).toBe(200);
});

test('remove deletes content, and removed labels from posts, and keeps the counts of ads', async () => {
  const { main } = createMock();
  const { id } = await visit(main).deliver();
  const [label] = main.blog.posts?.find((post) => post.id === 'post-2')?.categoryIds ?? [];
  main.remove({ posts: ['post-1'], categories: [label ?? ''] });
  expect((await visit(main).send('/public/posts/post-1')).status).toBe(404);
  expect((await visit(main).send(`/public/categories/${label}`)).status).toBe(404);
  const post = await (await visit(main).send('/public/posts/post-2')).json();
  expect(post.data.categories).toEqual([]);
  expect(main.ad(id).impressions).toBe(1);
  expect(() => main.remove({ post: ['post-2'] } as object)).toThrow(/remove: unknown option "post"/);
});

test('a campaign delivers up to its daily cap, and again on the next day of the world', async () => {
  const mock = createMock();
  const world = mock.world();
  const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
  world.put({
    campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring', perDay: 2 }],
    ads: [
      { id: first, format: 'POPUP', priority: 99, campaignId: 'c' },
      { id: second, format: 'POPUP', priority: 98 },
    ],
  });
  const deliver = async () => {
    const headers = { 'X-API-Key': world.apiKey };
    const response = await mock.fetch(`${mock.baseUrl}/public/ads/formats/POPUP`, { headers });
    return ((await response.json()) as { id: string }).id;
  };
  expect([await deliver(), await deliver(), await deliver()]).toEqual([first, first, second]);
  const saved = JSON.parse(JSON.stringify(world.snapshot()));
  world.clock.advance('24h');
  expect(await deliver()).toBe(first);
  world.restore(saved);
  expect(await deliver()).toBe(second);
});
