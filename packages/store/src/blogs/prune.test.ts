import { randomUUID } from 'node:crypto';
import { decoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../../test/open-store.ts';
import type { SqlStore } from '../sql-store.ts';
import { ContentClash } from './clashes.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ALL = { offset: 0, limit: 100 };
const AD = '00000000-0000-4000-8000-000000000001';
const post = (id: string, more: object = {}) => ({ id, title: `Title ${id}`, slug: `slug-${id}`, ...more });

describeDatabases('an import with prune', (database) => {
  let blogs = 0;
  async function withBlog(work: (store: SqlStore, blogId: string) => Promise<void>): Promise<void> {
    const store = await openStore(database.url);
    const id = `blog-${++blogs}`;
    await store.putBlog(
      {
        id,
        name: 'Blog',
        apiKeys: [`key-${id}`],
        categories: [
          { id: 'c1', name: 'C1' },
          { id: 'c2', name: 'C2' },
        ],
        tags: [{ id: 't', name: 'T' }],
        posts: [
          post('a', { categoryIds: ['c1'] }),
          post('b', { categoryIds: ['c2'], tagIds: ['t'] }),
          post('d', { status: 'DRAFT' }),
        ],
        ads: [{ id: AD, format: 'BANNER' }],
      },
      NOW,
    );
    try {
      await work(store, id);
    } finally {
      await store.close();
    }
  }

  test('removes posts and labels that the source does not have, never ads and keys', () =>
    withBlog(async (store, id) => {
      const source = {
        id,
        name: 'Blog',
        categories: [{ id: 'c1', name: 'C1' }],
        posts: [post('a', { categoryIds: ['c1'] })],
      };
      const [imported] = await store.importBlogs([source], NOW, { prune: true });
      expect(imported).toMatchObject({
        posts: 1,
        newPosts: 0,
        pruned: { posts: 2, categories: 1, tags: 1 },
        newKey: undefined,
      });
      const { posts, categories, tags, ads } = (await store.exportBlog(id)) ?? {};
      expect([posts, categories, tags, ads].map((list) => list?.map((item) => item.id))).toEqual([
        ['a'],
        ['c1'],
        [],
        [AD],
      ]);
      expect((await store.findBlog(`key-${id}`))?.id).toBe(id);
      expect(await store.searchPosts(id, ['title'], ALL)).toHaveLength(1);
    }));

  test('treats all parts of a blog as one source', () =>
    withBlog(async (store, id) => {
      const head = { id, name: 'Blog', categories: [{ id: 'c1', name: 'C1' }] };
      const parts = [
        { ...head, posts: [post('a', { categoryIds: ['c1'] })] },
        { ...head, posts: [post('b')] },
      ];
      const imported = await store.importBlogs(parts, NOW, { prune: true });
      expect(imported.map(({ pruned }) => pruned.posts)).toEqual([0, 1]);
      expect(
        decoded(await store.listPosts({ id, revision: randomUUID() }, ALL))
          .map((one) => one.id)
          .sort(),
      ).toEqual(['a', 'b']);
    }));

  test('recognizes a post with a new id by its slug', () =>
    withBlog(async (store, id) => {
      const renamed = { id, name: 'Blog', posts: [post('new', { slug: 'slug-a' }), post('b'), post('d')] };
      await expect(store.importBlogs([renamed], NOW + 1000)).rejects.toThrow(ContentClash);
      const [imported] = await store.importBlogs([renamed], NOW + 1000, { prune: true });
      expect(imported).toMatchObject({ newPosts: 1, pruned: { posts: 1 } });
      const found = decoded(await store.getPostBySlug(id, 'slug-a'));
      expect(found).toMatchObject({ id: 'new', createdAt: new Date(NOW).toISOString() });
    }));

  test('refuses two remaining posts with the same slug, and changes nothing', () =>
    withBlog(async (store, id) => {
      const before = await store.exportBlog(id);
      const parts = [
        { id, name: 'Blog', posts: [post('a')] },
        { id, name: 'Blog', posts: [post('z', { slug: 'slug-a' })] },
      ];
      await expect(store.importBlogs(parts, NOW, { prune: true })).rejects.toThrow(
        /a and z have the same slug "slug-a"/,
      );
      expect(await store.exportBlog(id)).toEqual(before);
    }));

  test('changes nothing in a dry run', () =>
    withBlog(async (store, id) => {
      const before = await store.exportBlog(id);
      const source = { id, name: 'Other', posts: [post('new')] };
      const options = { prune: true, dryRun: true };
      expect(await store.importBlogs([source], NOW, options)).toMatchObject([{ newPosts: 1, pruned: { posts: 3 } }]);
      expect(await store.exportBlog(id)).toEqual(before);
    }));
});
