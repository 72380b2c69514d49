import { randomUUID } from 'node:crypto';
import { decoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../sql-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const LATER = Date.parse('2026-03-06T08:00:00.000Z');
const ALL = { offset: 0, limit: 100 };
const text = (at: number) => new Date(at).toISOString();

describeDatabases('posts are managed', (database) => {
  let blogs = 0;
  /** Runs work with a store and a new blog in it. */
  async function withBlog(work: (store: SqlStore, blogId: string) => Promise<void>): Promise<void> {
    const store = await openStore(database.url);
    const id = `blog-${++blogs}`;
    await store.putBlog(
      {
        id,
        name: 'Blog',
        domains: ['news.example'],
        categories: [{ id: 'c', name: 'Category', description: 'D' }],
        tags: [{ id: 't', name: 'Tag' }],
        posts: [
          { id: 'old', title: 'Old café', slug: 'old', publishedAt: text(NOW - 2000), categoryIds: ['c'] },
          {
            id: 'new',
            title: 'New zebra',
            slug: 'new_50%',
            publishedAt: text(NOW - 1000),
            tagIds: ['t'],
            coverUrl: 'x',
          },
          { id: 'draft', title: 'Draft giraffe', slug: 'draft', status: 'DRAFT', categoryIds: ['c'] },
        ],
      },
      NOW - 5000,
    );
    try {
      await work(store, id);
    } finally {
      await store.close();
    }
  }
  /** A new revision each time bypasses the cache. */
  const listed = async (store: SqlStore, id: string) =>
    decoded(await store.listPosts({ id, revision: randomUUID() }, ALL)).map((post) => post.id);
  const found = async (store: SqlStore, id: string, term: string) =>
    (await store.searchPosts(id, [term], ALL)).map((post) => post.id);
  const inCategory = async (store: SqlStore, id: string) => (await store.getCategory(id, 'c'))?._count.posts;

  test('a search folds slugs as it folds titles', () =>
    withBlog(async (store, id) => {
      const posts = [{ id: 'sea', title: 'Sea', slug: 'Über-das-ΜΈΓΑΣ-Meer' }];
      await store.importBlogs([{ id, name: 'Blog', posts }], NOW);
      for (const search of ['über', 'UBER', 'Über-das', 'μεγας', 'ΜΕΓΑΣ-MEER']) {
        const { items } = await store.listAllPosts(id, { search }, ALL);
        expect([search, items.map((post) => post.id)]).toEqual([search, ['sea']]);
      }
    }));

  test('posts are listed in order and in pages, by status and by a part of the title or slug', () =>
    withBlog(async (store, id) => {
      const list = async (...args: [filter?: object, range?: typeof ALL]) => {
        const { items, total } = await store.listAllPosts(id, args[0] ?? {}, args[1] ?? ALL);
        return [...items.map((post) => post.id), total];
      };
      expect(await list()).toEqual(['new', 'old', 'draft', 3]);
      expect(await list({}, { offset: 1, limit: 1 })).toEqual(['old', 3]);
      expect(await list({ order: 'oldest' })).toEqual(['draft', 'old', 'new', 3]);
      const titles = async (order: string) =>
        (await store.listAllPosts(id, { order } as object, ALL)).items.map(({ title }) => title);
      const byTitle = await titles('title');
      expect(byTitle).toHaveLength(3);
      expect(await titles('-title')).toEqual(byTitle.toReversed());
      expect(byTitle).not.toEqual(await titles('newest'));
      expect(await list({ status: 'DRAFT' })).toEqual(['draft', 1]);
      expect(await list({ search: ' CAFE ' })).toEqual(['old', 1]);
      expect(await list({ search: '_50%' })).toEqual(['new', 1]);
      expect(await list({ search: 'w_5' })).toEqual(['new', 1]);
      expect(await list({ search: 'n%5' })).toEqual([0]);
      expect(await list({ search: 'a', status: 'PUBLISHED' })).toEqual(['new', 'old', 2]);
      expect((await store.listAllPosts(id, { search: 'draft' }, ALL)).items[0]).toEqual({
        id: 'draft',
        title: 'Draft giraffe',
        slug: 'draft',
        status: 'DRAFT',
        publishedAt: null,
        scheduledAt: null,
        updatedAt: text(NOW - 5000),
      });
      expect(await store.listAllPosts('nobody', {}, ALL)).toEqual({ items: [], total: 0 });
    }));

  test('a published draft is dated now, and appears in lists, search and counts', () =>
    withBlog(async (store, id) => {
      const revision = async () => (await store.findBlog(`key-${id}`))?.revision;
      await store.addKey(id, `key-${id}`, NOW);
      const before = await revision();
      expect(await store.publishPost(id, 'draft', { now: NOW })).toMatchObject({
        id: 'draft',
        status: 'PUBLISHED',
        publishedAt: text(NOW),
        updatedAt: text(NOW),
      });
      expect(await listed(store, id)).toEqual(['draft', 'new', 'old']);
      expect(await found(store, id, 'giraf')).toEqual(['draft']);
      expect(await inCategory(store, id)).toBe(2);
      expect(await revision()).not.toBe(before);
    }));

  test('an unpublished post disappears from lists, search and counts, and keeps its date for later', () =>
    withBlog(async (store, id) => {
      expect(await store.unpublishPost(id, 'old', NOW)).toMatchObject({ status: 'DRAFT', updatedAt: text(NOW) });
      expect(await listed(store, id)).toEqual(['new']);
      expect(await store.getPost(id, 'old')).toBeUndefined();
      expect(await store.getPostBySlug(id, 'old')).toBeUndefined();
      expect(await found(store, id, 'cafe')).toEqual([]);
      expect(await inCategory(store, id)).toBe(0);
      expect(await store.getAnyPost(id, 'old')).toMatchObject({ status: 'DRAFT', categoryIds: ['c'] });
      await store.publishPost(id, 'old', { now: NOW + 1 });
      expect(await listed(store, id)).toEqual(['new', 'old']);
    }));

  test('a time in the future schedules a post, a past one backdates it', () =>
    withBlog(async (store, id) => {
      expect(await store.publishPost(id, 'new', { now: NOW, at: LATER })).toMatchObject({
        status: 'SCHEDULED',
        publishedAt: null,
        scheduledAt: text(LATER),
      });
      expect(await listed(store, id)).toEqual(['old']);
      expect(await store.publishPost(id, 'new', { now: NOW, at: NOW - 9000 })).toMatchObject({
        status: 'PUBLISHED',
        publishedAt: text(NOW - 9000),
        scheduledAt: null,
      });
      expect(await listed(store, id)).toEqual(['old', 'new']);
    }));

  test('a deleted post disappears from lists, search and counts, and the recycle bin restores it', () =>
    withBlog(async (store, id) => {
      const whole = await store.exportBlog(id);
      expect(await store.deletePost(id, 'new', NOW)).toBe(true);
      expect(await listed(store, id)).toEqual(['old']);
      expect(await found(store, id, 'zebra')).toEqual([]);
      expect((await store.getTag(id, 't'))?._count.posts).toBe(0);
      expect(await store.deletePost(id, 'new', NOW)).toBe(false);
      await store.restoreFromBin(id, { kind: 'post', id: 'new', deletedAt: NOW }, NOW);
      expect(await store.exportBlog(id)).toEqual(whole);
      expect(await found(store, id, 'zebra')).toEqual(['new']);
    }));

  test('changing a post that does not exist has no effect', () =>
    withBlog(async (store, id) => {
      for (const [blogId, postId] of [
        [id, 'nobody'],
        ['nobody', 'old'],
      ] as const) {
        expect(await store.publishPost(blogId, postId, { now: NOW })).toBeUndefined();
        expect(await store.unpublishPost(blogId, postId, NOW)).toBeUndefined();
        expect(await store.deletePost(blogId, postId, NOW)).toBe(false);
        expect(await store.getAnyPost(blogId, postId)).toBeUndefined();
      }
      expect(await listed(store, id)).toEqual(['new', 'old']);
    }));
});
