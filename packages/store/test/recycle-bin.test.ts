import { openStore } from '@broadsheet/store/node';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { ContentClash } from '../src/blogs/clashes.ts';
import { BIN_LIFE } from '../src/blogs/recycle-bin.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const POSTS = 1001;
const AD = '00000000-0000-4000-8000-000000000001';
const OTHER_AD = '00000000-0000-4000-8000-000000000002';
const idOf = (index: number) => `p${String(index).padStart(4, '0')}`;
const posts = Array.from({ length: POSTS }, (_, index) => ({
  id: idOf(index),
  slug: idOf(index),
  title: `Post ${index}`,
  content: 'Text',
  status: 'PUBLISHED' as const,
  publishedAt: new Date(NOW - index * 1000).toISOString(),
  categoryIds: ['c'],
  tagIds: index % 2 === 0 ? ['t'] : [],
}));
const blog = {
  id: 'b',
  name: 'B',
  apiKeys: ['k'],
  categories: [{ id: 'c', name: 'City' }],
  tags: [{ id: 't', name: 'Tea' }],
};

describeDatabases('the recycle bin', (database) => {
  /** A blog whose 1,001 posts an import has removed together, after another post was deleted. */
  async function prunedBlog() {
    const store = await openStore(database.url);
    await store.deleteBlog('b');
    await store.importBlogs([{ ...blog, posts }], NOW);
    const whole = await store.exportBlog('b');
    await store.deletePost('b', idOf(7), NOW + 1);
    await store.restoreFromBin('b', { kind: 'post', id: idOf(7) }, NOW + 2);
    expect(await store.exportBlog('b')).toEqual(whole);
    await store.importBlogs([{ ...blog, posts: [] }], NOW + 3, { prune: true });
    expect((await store.listAllPosts('b', {}, { limit: 1, offset: 0 })).total).toBe(0);
    return { store, whole };
  }

  test('lists every item of a deletion of 1,001, in pages', async () => {
    const { store } = await prunedBlog();
    try {
      const ids: string[] = [];
      for (let offset = 0; offset < POSTS; offset += 400) {
        const { items, total } = await store.listBin('b', NOW + 4, { limit: 400, offset });
        expect(total).toBe(POSTS);
        expect(items.every(({ together }) => together === POSTS)).toBe(true);
        ids.push(...items.map(({ id }) => id));
      }
      expect(ids).toEqual(posts.map(({ id }) => id));
      expect((await store.listBin('b', NOW + 4)).items).toHaveLength(POSTS);
      expect(await store.listBin('b', NOW + 4, { kinds: ['ad'] })).toEqual({ items: [], total: 0 });
    } finally {
      await store.close();
    }
  });

  test('restores the 1,001st item by its id, and all others by the time of their deletion', async () => {
    const { store, whole } = await prunedBlog();
    try {
      const last = idOf(POSTS - 1);
      expect(await store.restoreFromBin('b', { kind: 'post', id: last }, NOW + 4)).toEqual({
        restored: [{ kind: 'post', id: last, deletedAt: NOW + 3, title: `Post ${POSTS - 1}` }],
        left: [],
      });
      const { restored: others } = await store.restoreFromBin('b', { kind: 'post', deletedAt: NOW + 3 }, NOW + 5);
      expect(others.map(({ id }) => id).sort()).toEqual(posts.slice(0, -1).map(({ id }) => id));
      expect(await store.exportBlog('b')).toEqual(whole);
      expect((await store.listBin('b', NOW + 6)).total).toBe(0);
      const found = await store.searchPosts('b', ['post', '500'], { limit: 5, offset: 0 });
      expect(found.map(({ id }) => id)).toEqual([idOf(500)]);
      expect((await store.getCategory('b', 'c'))?._count.posts).toBe(POSTS);
      expect((await store.getTag('b', 't'))?._count.posts).toBe(Math.ceil(POSTS / 2));
    } finally {
      await store.close();
    }
  });

  test('restores what it can of a deletion, and names what it left', async () => {
    const { store } = await prunedBlog();
    try {
      const taken = { ...posts[900], id: 'another', slug: idOf(900), title: 'Another', categoryIds: [], tagIds: [] };
      await store.importBlogs([{ ...blog, posts: [taken] }], NOW + 4);
      const twin = { ...taken, id: idOf(3), slug: 'twin', title: 'Twin' };
      await store.importBlogs([{ ...blog, posts: [twin] }], NOW + 4);
      const { restored, left } = await store.restoreFromBin('b', { kind: 'post', deletedAt: NOW + 3 }, NOW + 5);
      expect(restored.length).toBe(POSTS - 2);
      expect(left.map(({ id, reason }) => [id, reason])).toEqual([
        [idOf(3), `another post has the id ${idOf(3)} now; delete that one first`],
        [
          idOf(900),
          `the post another ("Another") has its slug "${idOf(900)}" now; delete that one or give it another slug first`,
        ],
      ]);
      expect((await store.listAllPosts('b', {}, { limit: 1, offset: 0 })).total).toBe(POSTS);
      expect((await store.listBin('b', NOW + 6)).items.map(({ id }) => id)).toEqual([idOf(3), idOf(900)]);
      const one = store.restoreFromBin('b', { kind: 'post', id: idOf(900) }, NOW + 6);
      await expect(one).rejects.toThrow(ContentClash);
      await store.deletePost('b', 'another', NOW + 7);
      expect(await store.restoreFromBin('b', { kind: 'post', id: idOf(900) }, NOW + 8)).toMatchObject({ left: [] });
    } finally {
      await store.close();
    }
  });

  test('restores the version of an item that was deleted last, unless another time is given, and for 30 days only', async () => {
    const store = await openStore(database.url);
    try {
      await store.deleteBlog('b');
      for (const [index, title] of ['First', 'Second'].entries()) {
        await store.importBlogs([{ ...blog, posts: [{ id: 'p', slug: 'p', title }] }], NOW + index);
        await store.deletePost('b', 'p', NOW + 10 + index);
      }
      const nothing = { restored: [], left: [] };
      const titleOf = async () => (await store.getAnyPost('b', 'p'))?.title;
      await store.restoreFromBin('b', { kind: 'post', id: 'p' }, NOW + 20);
      expect(await titleOf()).toBe('Second');
      await store.deletePost('b', 'p', NOW + 30);
      await store.restoreFromBin('b', { kind: 'post', id: 'p', deletedAt: NOW + 10 }, NOW + 40);
      expect(await titleOf()).toBe('First');
      await store.deletePost('b', 'p', NOW + 50);
      expect(await store.restoreFromBin('b', { kind: 'post', id: 'p' }, NOW + 51 + BIN_LIFE)).toEqual(nothing);
      expect(await store.restoreFromBin('b', { kind: 'post' }, NOW + 60)).toEqual(nothing);
      expect(await store.restoreFromBin('b', { kind: 'ad', deletedAt: NOW + 50 }, NOW + 60)).toEqual(nothing);
      expect(await titleOf()).toBeUndefined();
    } finally {
      await store.close();
    }
  });

  test('restores campaigns of one deletion with their ads', async () => {
    const store = await openStore(database.url);
    try {
      await store.deleteBlog('b');
      const campaigns = ['one', 'two'].map((id) => ({ id, sponsor: 'Tea', name: id }));
      const ads = [
        { id: AD, format: 'BANNER' as const, campaignId: 'one' },
        { id: OTHER_AD, format: 'BANNER' as const, campaignId: 'two' },
      ];
      await store.importBlogs([{ ...blog, campaigns, ads }], NOW);
      const whole = await store.exportBlog('b');
      await store.deleteCampaign('b', 'one', NOW + 1);
      await store.deleteCampaign('b', 'two', NOW + 1);
      const { restored } = await store.restoreFromBin('b', { kind: 'campaign', deletedAt: NOW + 1 }, NOW + 2);
      expect(restored.map(({ id }) => id).sort()).toEqual(['one', 'two']);
      expect(await store.exportBlog('b')).toEqual(whole);
      expect((await store.listBin('b', NOW + 3)).total).toBe(0);
    } finally {
      await store.close();
    }
  });
});
