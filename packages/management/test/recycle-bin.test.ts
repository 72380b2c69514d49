import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openStore } from '../src/open-store.ts';
import { addAd, deleteAd } from '../src/operations/ads.ts';
import { importContent } from '../src/operations/imports.ts';
import { deletePost } from '../src/operations/posts.ts';
import { listBin, restore } from '../src/operations/recycle-bin.ts';
import type { ServerStore } from '../src/server-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const stamp = '2026-01-01T00:00:00.000Z';
const post = (id: string, more: object = {}) => ({
  id,
  title: `Title of ${id}`,
  subtitle: 'A subtitle',
  slug: id,
  content: 'Texte'.repeat(1000),
  publishedAt: stamp,
  createdAt: stamp,
  updatedAt: stamp,
  coverUrl: '/cover.png',
  categoryIds: ['c'],
  tagIds: ['t'],
  ...more,
});
const blog = (id: string, posts: readonly ReturnType<typeof post>[]) => ({
  id,
  name: 'Blog',
  apiKeys: [`key-${id}`],
  categories: [{ id: 'c', name: 'Category' }],
  tags: [{ id: 't', name: 'Tag' }],
  posts: [...posts],
});

describeDatabases('the recycle bin', (database) => {
  let store: ServerStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  test('restores a deleted post with its labels and its place in the search index', async () => {
    await store.putBlog(blog('post', [post('kept'), post('gone', { title: 'Zebra' })]), NOW);
    const before = await store.exportBlog('post');
    await deletePost(store, 'post', 'gone', NOW);
    expect(await store.getPost('post', 'gone')).toBeUndefined();
    expect(await listBin(store, 'post', NOW)).toEqual([{ kind: 'post', id: 'gone', deletedAt: NOW, title: 'Zebra' }]);
    await restore(store, 'post', { kind: 'post', id: 'gone' }, NOW);
    expect(await store.exportBlog('post')).toEqual(before);
    expect((await store.searchPosts('post', ['zebra'], { offset: 0, limit: 5 })).map(({ id }) => id)).toEqual(['gone']);
    expect((await store.getCategory('post', 'c'))?._count.posts).toBe(2);
    expect(await listBin(store, 'post', NOW)).toEqual([]);
  });

  test('does not change existing labels, and restores missing ones', async () => {
    await store.putBlog(blog('labels', [post('gone')]), NOW);
    await deletePost(store, 'labels', 'gone', NOW);
    await store.putBlog({ id: 'labels', name: 'Blog', categories: [{ id: 'c', name: 'Renamed' }] }, NOW);
    const prune = {
      snapshot: { blogs: [{ ...blog('labels', []), categories: [{ id: 'c', name: 'Renamed' }], tags: [] }] },
    };
    await importContent(store, prune, { now: NOW, prune: true });
    expect(await store.listTags('labels')).toEqual([]);
    await restore(store, 'labels', { kind: 'post', id: 'gone' }, NOW);
    expect((await store.listCategories('labels')).map(({ name }) => name)).toEqual(['Renamed']);
    expect((await store.listTags('labels')).map(({ name }) => name)).toEqual(['Tag']);
    expect((await store.exportBlog('labels'))?.posts[0]).toMatchObject({ categoryIds: ['c'], tagIds: ['t'] });
  });

  test('contains the posts that an import pruned', async () => {
    await store.putBlog(blog('pruned', [post('a'), post('b')]), NOW);
    await importContent(store, { snapshot: { blogs: [blog('pruned', [post('a')])] } }, { now: NOW, prune: true });
    expect((await listBin(store, 'pruned', NOW)).map(({ id }) => id)).toEqual(['b']);
  });

  test('restores a deleted ad with every field', async () => {
    await store.putBlog(blog('ad', []), NOW);
    const ad = await addAd(store, 'ad', { format: 'POPUP', title: 'Tea', linkText: 'Drink', priority: '7' }, NOW);
    await deleteAd(store, 'ad', ad.id, NOW);
    expect(await store.listAllAds('ad')).toEqual([]);
    await restore(store, 'ad', { kind: 'ad', id: ad.id }, NOW);
    expect(await store.listAllAds('ad')).toEqual([ad]);
  });

  test('overwrites no item with the same id or slug, and keeps what it could not restore', async () => {
    await store.putBlog(blog('clash', [post('gone'), post('other')]), NOW);
    await deletePost(store, 'clash', 'gone', NOW);
    await store.putBlog(blog('clash', [post('gone', { title: 'Another' })]), NOW);
    const key = { kind: 'post', id: 'gone' } as const;
    await expect(restore(store, 'clash', key, NOW)).rejects.toMatchObject({ code: 'CONFLICT' });
    await deletePost(store, 'clash', 'gone', NOW + 1);
    await store.putBlog(blog('clash', [post('other', { slug: 'gone' })]), NOW);
    await expect(restore(store, 'clash', key, NOW + 1)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await listBin(store, 'clash', NOW + 1)).toHaveLength(2);
    expect((await store.exportBlog('clash'))?.posts.map(({ id }) => id)).toEqual(['other']);
  });

  test('keeps deleted items for thirty days, but none of a deleted blog', async () => {
    await store.putBlog(blog('late', [post('a')]), NOW);
    await deletePost(store, 'late', 'a', NOW);
    expect(await listBin(store, 'late', NOW + 30 * DAY)).toHaveLength(1);
    expect(await listBin(store, 'late', NOW + 30 * DAY + 1)).toEqual([]);
    await store.deleteBlog('late');
    await store.putBlog(blog('late', []), NOW);
    expect(await listBin(store, 'late', NOW)).toEqual([]);
    await expect(listBin(store, 'nobody', NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
