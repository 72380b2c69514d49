import { decoded } from '@broadsheet/core';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openStore } from './open-store.ts';

const AD = '00000000-0000-4000-8000-000000000001';
const ALL = { offset: 0, limit: 50 };
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const post = (id: string, title = `Title ${id}`) => ({ id, slug: id, title });
const before = { id: 'b', name: 'B', apiKeys: ['key'], ads: [{ id: AD, format: 'BANNER' as const }] };
const many = Array.from({ length: 1200 }, (_, index) => post(`new-${index}`, `Fresh ${index}`));

describeDatabases('while an import is under way', (database) => {
  test('events are recorded, and readers see no part of the import', async () => {
    const [store, other] = [await openStore(database.url), await openStore(database.url, { statementTimeout: 1000 })];
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    await store.putBlog({ ...before, posts: [post('old')] }, NOW);
    const seen = async () => [
      (await other.findBlog('key'))?.revision,
      decoded(await other.listPosts({ id: 'b', revision: crypto.randomUUID() }, ALL)),
      await other.searchPosts('b', ['fresh'], ALL),
      await other.exportBlog('b'),
      await other.listBlogs(),
    ];
    const unchanged = await seen();
    let reports = 0;
    const click = { tokenExpiresAt: NOW, adId: AD, visitor: undefined, at: NOW, repeatSince: 0 };
    const blogs = [
      { ...before, posts: [post('old', 'Fresh as well'), ...many] },
      { ...before, id: 'c', apiKeys: [], posts: many },
    ];
    const [, created] = await store.importBlogs(blogs, NOW, {
      async onProgress() {
        reports += 1;
        await other.deliver('b', { slots: [{ candidates: [AD], placement: 'top' }] }, NOW);
        expect(await other.recordClick('b', { ...click, tokenId: `t${reports}` })).toBe('counted');
        if (reports === 3) expect(await seen()).toEqual(unchanged);
      },
    });
    expect(await other.countsByDay('b')).toMatchObject([{ impressions: reports, clicks: reports }]);
    expect((await other.findBlog(created?.newKey ?? ''))?.id).toBe('c');
    for (const [id, count] of [
      ['b', 1201],
      ['c', 1200],
    ] as const) {
      expect((await other.exportBlog(id))?.posts).toHaveLength(count);
      const found = await other.searchPosts(id, ['fresh'], { offset: 0, limit: 2000 });
      expect(new Set(found.map((item) => item.id)).size).toBe(count);
      expect((await other.searchPosts(id, ['fresh', '1199'], ALL)).map((item) => item.id)).toEqual(['new-1199']);
    }
    expect(await other.searchPosts('b', ['title'], ALL)).toEqual([]);
  });

  test('a failure leaves nothing behind, and the next import succeeds', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog({ ...before, posts: [post('old')] }, NOW);
    const unchanged = await store.exportBlog('b');
    const fail = () => Promise.reject(new Error('stop here'));
    const blog = { ...before, posts: [post('more'), post('again', 'Zebra')] };
    await expect(store.importBlogs([blog], NOW, { onProgress: fail })).rejects.toThrow('stop here');
    expect(await store.importBlogs([blog], NOW, { dryRun: true })).toMatchObject([{ posts: 2, newPosts: 2 }]);
    expect(await store.exportBlog('b')).toEqual(unchanged);
    expect(await store.searchPosts('b', ['zebra'], ALL)).toEqual([]);
    await store.importBlogs([blog], NOW, { prune: true });
    expect((await store.exportBlog('b'))?.posts.map(({ id }) => id).sort()).toEqual(['again', 'more']);
    expect((await store.searchPosts('b', ['zebra'], ALL)).map(({ id }) => id)).toEqual(['again']);
  });
});

test('on SQLite, an import is repeated when its blog is changed meanwhile', async () => {
  const url = `sqlite:${temporaryFolder().join('b.db')}`;
  const [store, other] = [await openStore(url), await openStore(url)];
  onTestFinished(() => store.close());
  onTestFinished(() => other.close());
  await store.putBlog({ ...before, posts: [post('old'), post('kept')] }, NOW);
  let changes = 0;
  const blog = { ...before, posts: [post('new')] };
  const change = async () => {
    changes += 1;
    if (changes === 1) await other.deletePost('b', 'old', NOW);
  };
  await store.importBlogs([blog], NOW, { onProgress: change });
  expect(changes).toBe(2);
  expect((await store.exportBlog('b'))?.posts.map(({ id }) => id).sort()).toEqual(['kept', 'new']);

  const always = async () => {
    changes += 1;
    await other.createBlog({ id: `blog-${changes}`, name: 'Another', domains: [] });
  };
  const created = [{ ...blog, id: 'created', apiKeys: [] }];
  await expect(store.importBlogs(created, NOW, { onProgress: always })).rejects.toThrow('kept changing a blog');
  expect(await store.exportBlog('created')).toBeUndefined();
});
