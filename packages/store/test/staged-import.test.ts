import { decoded } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';

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
    expect(await other.figures('b', { by: [] })).toMatchObject([{ delivered: reports, clicks: reports }]);
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

  test('a rotation of keys also revokes the keys that the import has', async () => {
    const [store, other] = [await openStore(database.url), await openStore(database.url)];
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    await store.putBlog({ ...before, posts: [post('old')] }, NOW);
    let rotated: Promise<void> | undefined;
    await store.importBlogs([{ ...before, posts: many }], NOW, {
      onProgress() {
        // PostgreSQL makes the rotation wait for the import.
        rotated ??= other.rotateKey('b', 'bs_new', NOW);
      },
    });
    await rotated;
    const valid = (await other.listKeys('b')).filter(({ revokedAt }) => revokedAt === null);
    expect(valid).toHaveLength(1);
    expect(await other.findBlog('key')).toBeUndefined();
    expect((await other.findBlog('bs_new'))?.id).toBe('b');
  });

  test('it ends when it is aborted, and writes nothing', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog({ ...before, posts: [post('old')] }, NOW);
    const unchanged = await store.exportBlog('b');
    const blogs = [{ ...before, posts: many }];
    const ended = new AbortController();
    const onProgress = () => ended.abort(new Error('nobody waits for it'));
    const { signal } = ended;
    await expect(store.importBlogs(blogs, NOW, { signal, onProgress })).rejects.toThrow('nobody waits for it');
    await expect(store.importBlogs(blogs, NOW, { signal })).rejects.toThrow('nobody waits for it');
    expect(await store.exportBlog('b')).toEqual(unchanged);
  });

  test('another blog can be deleted with its keys, and a webhook with its messages', async () => {
    const [store, other] = [await openStore(database.url), await openStore(database.url)];
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    const gone = { id: 'gone', name: 'Gone', apiKeys: ['key of the deleted blog'] };
    await store.putBlog(gone, NOW);
    await store.putBlog({ ...before, id: 'hooked', apiKeys: [] }, NOW);
    const hook = { url: 'https://site.example/', types: ['post.published'] as const, secret: 'whsec_c2VjcmV0' };
    for (const id of ['deleted', 'kept']) await store.addHook('hooked', { ...hook, id }, NOW);
    const progress = async () => {
      await other.deleteBlog('gone');
      await other.deleteHook('hooked', 'deleted');
    };
    await store.importBlogs([{ id: 'hooked', name: 'H', posts: [post('a')] }], NOW, { onProgress: progress });
    await store.putBlog({ ...gone, apiKeys: [] }, NOW);
    expect(await store.findBlog('key of the deleted blog')).toBeUndefined();
    await store.addKey('gone', 'key of the deleted blog', NOW);
    const messages = await store.listHookMessages('hooked', 10);
    expect(messages.map(({ hookId, event }) => [hookId, event.type])).toEqual([['kept', 'post.published']]);
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

test('on SQLite, an import is repeated when its blog is changed in the meantime', async () => {
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

  const create = async () => {
    changes += 1;
    await other.createBlog({ id: `blog-${changes}`, name: 'Another', domains: [] });
  };
  await store.importBlogs([{ ...blog, id: 'created', apiKeys: [] }], NOW, { onProgress: create });
  expect(changes).toBe(3);
  expect((await store.exportBlog('created'))?.posts).toHaveLength(1);

  const always = async () => {
    changes += 1;
    await other.setDomains('b', [`${changes}.example`]);
  };
  await expect(store.importBlogs([blog], NOW, { onProgress: always })).rejects.toThrow('kept changing a blog');
  expect(changes).toBe(6);
});

test('on SQLite, an import is refused when another blog gets one of its keys in the meantime', async () => {
  const url = `sqlite:${temporaryFolder().join('b.db')}`;
  const [store, other] = [await openStore(url), await openStore(url)];
  onTestFinished(() => store.close());
  onTestFinished(() => other.close());
  for (const id of ['first', 'second']) await store.createBlog({ id, name: id, domains: [] });
  let isAdded = false;
  const onProgress = async () => {
    if (!isAdded) await other.addKey('second', 'wanted by two', NOW);
    isAdded = true;
  };
  const blog = { id: 'first', name: 'first', apiKeys: ['wanted by two'], posts: [post('a')] };
  await expect(store.importBlogs([blog], NOW, { onProgress })).rejects.toThrow('already opens the blog second');
  expect((await store.exportBlog('first'))?.posts).toEqual([]);
});
