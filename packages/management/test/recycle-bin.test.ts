import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { importContent } from '../src/imports/import-content.ts';
import { run } from './run.ts';

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
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());
  const binned = async (id: string, now?: number) =>
    (await run(store, 'bin.list', id, { limit: 50, offset: 0 }, now)).items;

  test('restores a deleted post with its labels and its place in the search index', async () => {
    await store.putBlog(blog('post', [post('kept'), post('gone', { title: 'Zebra' })]), NOW);
    const before = await store.exportBlog('post');
    await run(store, 'posts.delete', 'post', { post: 'gone' });
    expect(await store.getPost('post', 'gone')).toBeUndefined();
    expect(await binned('post')).toEqual([
      { kind: 'post', id: 'gone', deletedAt: new Date(NOW).toISOString(), title: 'Zebra', together: 1 },
    ]);
    await run(store, 'posts.restore', 'post', { post: 'gone' });
    expect(await store.exportBlog('post')).toEqual(before);
    expect((await store.searchPosts('post', ['zebra'], { offset: 0, limit: 5 })).map(({ id }) => id)).toEqual(['gone']);
    expect((await store.getCategory('post', 'c'))?._count.posts).toBe(2);
    expect(await binned('post')).toEqual([]);
  });

  test('does not change existing labels, and restores missing ones', async () => {
    await store.putBlog(blog('labels', [post('gone')]), NOW);
    await run(store, 'posts.delete', 'labels', { post: 'gone' });
    await store.putBlog({ id: 'labels', name: 'Blog', categories: [{ id: 'c', name: 'Renamed' }] }, NOW);
    const prune = {
      snapshot: { blogs: [{ ...blog('labels', []), categories: [{ id: 'c', name: 'Renamed' }], tags: [] }] },
    };
    await importContent(store, prune, { now: NOW, prune: true });
    expect(await store.listTags('labels')).toEqual([]);
    await run(store, 'posts.restore', 'labels', { post: 'gone' });
    expect((await store.listCategories('labels')).map(({ name }) => name)).toEqual(['Renamed']);
    expect((await store.listTags('labels')).map(({ name }) => name)).toEqual(['Tag']);
    expect((await store.exportBlog('labels'))?.posts[0]).toMatchObject({ categoryIds: ['c'], tagIds: ['t'] });
  });

  test('contains the posts that an import pruned', async () => {
    await store.putBlog(blog('pruned', [post('a'), post('b')]), NOW);
    await importContent(store, { snapshot: { blogs: [blog('pruned', [post('a')])] } }, { now: NOW, prune: true });
    expect((await binned('pruned')).map(({ id }) => id)).toEqual(['b']);
  });

  test('restores more than a thousand pruned posts together, or a single one by its id', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => post(`p${index}`, { content: 'Text' }));
    await store.putBlog(blog('many', many), NOW);
    const whole = await store.exportBlog('many');
    await importContent(store, { snapshot: { blogs: [blog('many', [])] } }, { now: NOW, prune: true });
    expect((await store.exportBlog('many'))?.posts).toEqual([]);
    // The last id of all comes first.
    for (const id of ['p999', 'p0', 'p1000']) {
      expect(await run(store, 'posts.restore', 'many', { post: id })).toMatchObject({ id });
    }
    const together = await run(store, 'posts.restore', 'many', { deletedAt: new Date(NOW).toISOString() });
    expect(together).toMatchObject({ restored: expect.objectContaining({ length: 998 }), left: [] });
    expect(await store.exportBlog('many')).toEqual(whole);
  });

  test('restores a deleted ad with every field', async () => {
    await store.putBlog(blog('ad', []), NOW);
    const ad = await run(store, 'ads.add', 'ad', { format: 'POPUP', title: 'Tea', linkText: 'Drink', priority: '7' });
    await run(store, 'ads.delete', 'ad', { ad: ad.id });
    expect(await store.listAllAds('ad')).toEqual([]);
    await run(store, 'ads.restore', 'ad', { ad: ad.id });
    expect(await store.listAllAds('ad')).toEqual([ad]);
  });

  test('overwrites no item with the same id or slug, and keeps what it could not restore', async () => {
    await store.putBlog(blog('clash', [post('gone'), post('other')]), NOW);
    await run(store, 'posts.delete', 'clash', { post: 'gone' });
    await store.putBlog(blog('clash', [post('gone', { title: 'Another' })]), NOW);
    await expect(run(store, 'posts.restore', 'clash', { post: 'gone' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await run(store, 'posts.delete', 'clash', { post: 'gone' }, NOW + 1);
    await store.putBlog(blog('clash', [post('other', { slug: 'gone' })]), NOW);
    await expect(run(store, 'posts.restore', 'clash', { post: 'gone' }, NOW + 1)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await binned('clash', NOW + 1)).toHaveLength(2);
    expect((await store.exportBlog('clash'))?.posts.map(({ id }) => id)).toEqual(['other']);
  });

  test('keeps deleted items for thirty days, but none of a deleted blog', async () => {
    await store.putBlog(blog('late', [post('a')]), NOW);
    await run(store, 'posts.delete', 'late', { post: 'a' });
    expect(await binned('late', NOW + 30 * DAY)).toHaveLength(1);
    expect(await binned('late', NOW + 30 * DAY + 1)).toEqual([]);
    await store.deleteBlog('late');
    await store.putBlog(blog('late', []), NOW);
    expect(await binned('late')).toEqual([]);
    await expect(binned('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
