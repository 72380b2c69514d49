import { randomUUID } from 'node:crypto';
import { decoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
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
      expect(imported).toMatchObject([{ posts: 2, pruned: { posts: 1 } }]);
      expect(
        decoded(await store.listPosts({ id, revision: randomUUID() }, ALL))
          .map((one) => one.id)
          .sort(),
      ).toEqual(['a', 'b']);
    }));

  test('recognizes a post with a new id by its slug', () =>
    withBlog(async (store, id) => {
      const moved = { ...post('d', { status: 'DRAFT' }), id: 'moved' };
      const renamed = { id, name: 'Blog', posts: [post('new', { slug: 'slug-a' }), post('b'), moved] };
      await expect(store.importBlogs([renamed], NOW + 1000)).rejects.toThrow(ContentClash);
      const [imported] = await store.importBlogs([renamed], NOW + 1000, { prune: true });
      expect(imported).toMatchObject({
        newPosts: 0,
        pruned: { posts: 0 },
        changes: { posts: { added: [], removed: [] } },
      });
      expect((await store.listBin(id, NOW + 1000)).items).toEqual([]);
      const [before, after] = [NOW, NOW + 1000].map((time) => new Date(time).toISOString());
      const found = decoded(await store.getPostBySlug(id, 'slug-a'));
      expect(found).toMatchObject({ id: 'new', createdAt: before, updatedAt: after });
      // Another id with the same content is not a change.
      expect(await store.getAnyPost(id, 'moved')).toMatchObject({ createdAt: before, updatedAt: before });
    }));

  test('does not match a post to an existing one that stays under another slug', () =>
    withBlog(async (store, id) => {
      const dated = (year: number) => ({ publishedAt: `${year}-01-01T00:00:00.000Z` });
      // The new posts are written before and after the posts whose slugs they take over.
      const posts = [
        post('a', { slug: 'moved-a', ...dated(2020) }),
        post('b', { slug: 'moved-b', ...dated(2022) }),
        post('c', { slug: 'slug-a', ...dated(2021) }),
        post('e', { slug: 'slug-b', ...dated(2021) }),
      ];
      const parts = posts.map((one) => ({ id, name: 'Blog', posts: [one] }));
      for (const source of [parts, [{ id, name: 'Blog', posts: [post('a'), post('b')] }], parts.toReversed()]) {
        await store.importBlogs(source, NOW + 1000, { prune: true, allowMovedUrls: true });
        const [before, after] = [NOW, NOW + 1000].map((time) => new Date(time).toISOString());
        const created = async (postId: string) => (await store.getAnyPost(id, postId))?.createdAt;
        expect(await Promise.all(['a', 'b'].map(created))).toEqual([before, before]);
        if (source.length === 4) expect(await Promise.all(['c', 'e'].map(created))).toEqual([after, after]);
      }
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
