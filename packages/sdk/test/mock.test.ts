import { readFile } from 'node:fs/promises';
import { createMock } from '@broadsheet/mock-server';
import ky from 'ky';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';

// The mock sends every kind of legal response: without optional fields, with all of them, hostile, and unwrapped.
test.each(['fetch', 'ky'])('every legal response of the API passes strict validation, with %s', async (carrier) => {
  const mock = createMock();
  let clicks = 0;
  await mock.explore(
    async (world) => {
      const blog = createClient({
        ...world.connection,
        fetch: carrier === 'ky' ? kyFetch(ky.create({ fetch: mock.fetch })) : mock.fetch,
        validate: 'strict',
        retry: 0,
      });
      for (const { id, slug } of await blog.posts.list({ limit: 3 }).take(5)) {
        expect((await blog.posts.get(id)).id).toBe(id);
        expect((await blog.posts.getBySlug(slug)).slug).toBe(slug);
      }
      for (const kind of [blog.categories, blog.tags]) {
        for (const { id, _count } of (await kind.list()).slice(0, 2)) {
          expect((await kind.get(id)).id).toBe(id);
          const posts = await kind.posts(id, { pageSize: 4 }).prefetch().take(6);
          expect(posts).toHaveLength(Math.min(6, _count.posts));
        }
      }
      await blog.search('the').take(20);
      await blog.ads.impression();
      await blog.ads.deliver('BANNER').safe();
      for (const { ad, click } of await blog.ads.place([
        { slotId: 'top', format: 'BANNER' },
        { slotId: 'corner', format: 'POPUP' },
      ])) {
        if (!ad) continue;
        await click();
        clicks++;
      }
    },
    { runs: carrier === 'ky' ? 10 : 30 },
  );
  expect(clicks).toBeGreaterThan(0);
});

test.each([true, false])(
  'a delivery that a gateway loses is counted once, if the API accepts keys: %s',
  async (accepts) => {
    const mock = createMock();
    const world = mock.world();
    let deliveries = 0;
    const gateway = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await mock.fetch(accepts ? url : url.replace(/idempotencyKey=[^&]*/, ''), init);
      if (!accepts) response.headers.delete('idempotency-accepted');
      if (!url.includes('/formats')) return response;
      return deliveries++ === 0 ? new Response('<h1>Late</h1>', { status: 504 }) : response;
    };
    const blog = createClient({ ...world.connection, fetch: gateway, retry: { sleep: async () => {} } });
    const { ok } = await blog.ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }]).safe();
    expect([ok, deliveries]).toEqual(accepts ? [true, 2] : [false, 1]);
    const counted = (world.blog.ads ?? []).map(({ id }) => world.ad(id).impressions);
    expect(counted.reduce((sum, impressions) => sum + impressions)).toBe(1);
  },
);

afterEach(() => {
  vi.useRealTimers();
});

test('with all timers except queueMicrotask faked, a call settles, as the guide on testing says', async () => {
  const guide = await readFile(new URL('../../../docs/guides/testing.md', import.meta.url), 'utf8');
  expect(guide).toContain("doNotFake: ['queueMicrotask']");
  const mock = createMock();
  const blog = createClient({ ...mock.connection, fetch: mock.fetch });
  vi.useFakeTimers({ toNotFake: ['queueMicrotask', 'nextTick'] });
  expect((await blog.posts.list({ limit: 1 })).items).toHaveLength(1);
});

test('with queueMicrotask faked, Node reads no body', async () => {
  const mock = createMock();
  const blog = createClient({ ...mock.connection, fetch: mock.fetch });
  vi.useFakeTimers({ toFake: ['queueMicrotask'] });
  let settled = false;
  const reading = blog.posts.list({ limit: 1 }).finally(() => (settled = true));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(settled).toBe(false);
  vi.useRealTimers();
  void reading.catch(() => {});
});
