import type { SnapshotBlogInput } from '@broadsheet/contract';
import { StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import type { SqlStore } from '../src/sql-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';
const campaign = (goal: number) => ({ id: 'c', sponsor: 'Tea', name: 'Spring', goal: { impressions: goal } });
const ad = (title: string) => ({ id: AD, format: 'BANNER' as const, campaignId: 'c', title });
const DELIVERY = { slots: [{ candidates: [AD] }], campaigns: new Map([[AD, 'c']]) };

/** A blog with two published posts. */
const blogOf = (id: string, title: string) => ({
  ...{ id, name: id, apiKeys: [`${id} old`], campaigns: [campaign(100)], ads: [ad('Tea')] },
  posts: ['p', 'q'].map((post) => ({ id: post, slug: post, title, publishedAt: '2026-01-01T00:00:00.000Z' })),
});

/** Runs an import, and holds each of its attempts open after its posts have been written, until it is released. */
async function holdOpen(store: SqlStore, parts: readonly SnapshotBlogInput[]) {
  const written = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const onProgress = () => {
    written.resolve();
    return released.promise;
  };
  const imported = store.importBlogs(parts, NOW, { onProgress });
  onTestFinished(async () => {
    released.resolve();
    await imported.catch(() => {});
  });
  await Promise.race([written.promise, imported]);
  return {
    async release() {
      released.resolve();
      return imported;
    },
  };
}

describeDatabases('while a blog is being imported', (database) => {
  /** A blog in the stores of two processes. */
  async function open() {
    const [store, other] = [await openStore(database.url), await openStore(database.url)];
    onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
    const id = crypto.randomUUID();
    await store.putBlog(blogOf(id, 'Before'), NOW);
    return { store, other, id };
  }

  test('its keys are rotated', async () => {
    const { store, other, id } = await open();
    const { release } = await holdOpen(store, [blogOf(id, 'After')]);
    await other.rotateKey(id, `${id} new`, NOW);
    const opened = async () => [await other.findBlog(`${id} old`), (await other.findBlog(`${id} new`))?.id];
    expect(await opened()).toEqual([undefined, id]);
    await release();
    expect(await opened()).toEqual([undefined, id]);
    expect((await store.getAnyPost(id, 'p'))?.title).toBe('After');
  });

  test.each<[string, (store: SqlStore, id: string) => Promise<unknown>]>([
    ['taken down', (store, id) => store.unpublishPost(id, 'p', NOW)],
    ['deleted', (store, id) => store.deletePost(id, 'p', NOW)],
    ['taken down in a transaction', (store, id) => store.transact((within) => within.unpublishPost(id, 'p', NOW))],
  ])('one of its posts is %s', async (_, remove) => {
    const { store, other, id } = await open();
    const { release } = await holdOpen(store, [{ ...blogOf(id, 'After'), posts: blogOf(id, 'After').posts.slice(1) }]);
    await remove(other, id);
    expect(await other.getPost(id, 'p')).toBeUndefined();
    await release();
    expect(await other.getPost(id, 'p')).toBeUndefined();
    expect((await store.getAnyPost(id, 'q'))?.title).toBe('After');
  });

  test('its ads are delivered, including those that the import changes', async () => {
    const { store, id } = await open();
    const ads = { id, name: id, campaigns: [campaign(2)], ads: [ad('Coffee')] };
    const { release } = await holdOpen(store, [ads, { ...blogOf(id, 'After'), campaigns: [], ads: [] }]);
    expect((await store.deliver(id, DELIVERY, NOW)).adIds).toEqual([AD]);
    expect((await release()).flatMap(({ changed }) => changed)).toEqual(['ads', 'campaigns']);
    expect(await store.listAds(id)).toMatchObject([{ title: 'Coffee' }]);
    expect((await store.deliver(id, DELIVERY, NOW)).adIds).toEqual([AD]);
    expect((await store.deliver(id, DELIVERY, NOW)).adIds).toEqual([undefined]);
  });

  test('its ads are delivered until the last moment if the import does not change them', async () => {
    const { store, id } = await open();
    let delivered: unknown;
    const entries = async () => {
      delivered = (await store.deliver(id, DELIVERY, NOW)).adIds;
      return [];
    };
    const [imported] = await store.importBlogs([blogOf(id, 'After')], NOW, { entries });
    expect(imported?.changed).toEqual([]);
    expect(delivered).toEqual([AD]);
  });

  test('an import gives up when its blog keeps changing', async () => {
    const { store, id } = await open();
    let attempts = 0;
    const onProgress = async () => {
      attempts += 1;
      await store.unpublishPost(id, 'p', NOW);
    };
    await expect(store.importBlogs([blogOf(id, 'After')], NOW, { onProgress })).rejects.toThrow(StoreUnavailable);
    expect(attempts).toBe(3);
    expect((await store.getAnyPost(id, 'q'))?.title).toBe('Before');
  });
});
