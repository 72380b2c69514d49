import { defaultsOf, SnapshotAd } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import type { Ad, Blog } from '../store.ts';
import { createInventoryCache } from './delivery.ts';

const AD = { ...defaultsOf(SnapshotAd), format: 'BANNER', priority: 1 } as const;
const ad = (id: number): Ad => ({ ...AD, id: String(id) });
const blog = (id: string, revision = '1') => ({ id, revision, domains: [], nextDueAt: undefined }) satisfies Blog;

function setup(adsPerBlog: number) {
  const read: string[] = [];
  const cache = createInventoryCache({
    listCampaigns: () => [],
    async listAds(blogId) {
      read.push(blogId);
      return Array.from({ length: adsPerBlog }, (_, id) => ad(id));
    },
  });
  return { cache, read };
}

test('an inventory is read once for each revision', async () => {
  const { cache, read } = setup(3);
  await Promise.all([cache.of(blog('a')), cache.of(blog('a')), cache.of(blog('b'))]);
  await cache.of(blog('a'));
  await cache.of(blog('a', '2'));
  expect(read).toEqual(['a', 'b', 'a']);
});

test('ten thousand blogs with a few ads stay cached, fifty blogs with thousands of ads do not', async () => {
  const few = setup(3);
  const many = setup(2000);
  for (const { cache } of [few, many]) {
    const count = cache === few.cache ? 10_000 : 50;
    for (let round = 0; round < 2; round += 1)
      for (let index = 0; index < count; index += 1) await cache.of(blog(`b${index}`));
  }
  expect(few.read).toHaveLength(10_000);
  expect(many.read.length).toBeGreaterThan(50);
});

test('a failed read is not cached: the next request reads again', async () => {
  let reads = 0;
  const cache = createInventoryCache({
    listCampaigns: () => [],
    async listAds() {
      reads += 1;
      if (reads === 1) throw new Error('The database is away.');
      return [ad(1)];
    },
  });
  await expect(Promise.all([cache.of(blog('a')), cache.of(blog('a'))])).rejects.toThrow('The database is away.');
  expect((await cache.of(blog('a'))).at(0).get('BANNER')).toMatchObject([{ unsold: [{ id: '1' }] }]);
  expect(reads).toBe(2);
});
