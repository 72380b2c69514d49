import { DatabaseSync } from 'node:sqlite';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { BLOG_TABLES } from '../../store/src/tables.ts';
import { importContent } from '../src/imports/import-content.ts';
import { wrongBlogId } from '../src/operations/blogs.ts';
import { NOW, run } from './run.ts';

const ALL = { offset: 0, limit: 100 };
const AD = '00000000-0000-4000-8000-000000000001';

const blog = (id: string) => ({
  id,
  name: 'Blog',
  domains: ['news.example'],
  apiKeys: [`key-${id}`],
  categories: [{ id: 'c', name: 'Category' }],
  tags: [{ id: 't', name: 'Tag' }],
  posts: [
    { id: 'p', title: 'Published zebra', slug: 'p', categoryIds: ['c'], tagIds: ['t'] },
    { id: 'd', title: 'Draft', slug: 'd', status: 'DRAFT' as const },
  ],
  ads: [{ id: AD, format: 'BANNER' as const, title: 'Tea' }],
});
const click = (tokenId: string) => ({
  tokenId,
  tokenExpiresAt: NOW + 600_000,
  adId: AD,
  visitor: 'v',
  at: NOW,
  repeatSince: NOW - 1,
});

async function query(database: TestDatabase, statement: string): Promise<readonly unknown[]> {
  if (database.kind === 'PostgreSQL') return queryPostgres(database.url, statement);
  const connection = new DatabaseSync(database.url.slice('sqlite:'.length));
  try {
    return connection.prepare(statement).all();
  } finally {
    connection.close();
  }
}

describeDatabases('managing blogs', (database) => {
  async function withStore(work: (store: SqlStore) => Promise<void>): Promise<void> {
    const store = await openStore(database.url);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  }
  /** The number of rows of a blog, by table. */
  async function rowsOf(id: string): Promise<Record<string, number>> {
    const tables: Record<string, string> = Object.fromEntries(
      BLOG_TABLES.map((name) => [name, `select count(*) as rows from ${name} where blog_id = '${id}'`]),
    );
    const counts: Record<string, number> = {};
    for (const [name, statement] of Object.entries(tables)) {
      const [row] = await query(database, statement);
      counts[name] = Number((row as { rows: number }).rows);
    }
    return counts;
  }

  test('BLOG_TABLES names every table with rows of blogs', () =>
    withStore(async () => {
      const statement =
        database.kind === 'PostgreSQL'
          ? "select table_name as name from information_schema.columns where column_name = 'blog_id' and table_schema = 'public'"
          : "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'blog_id'";
      const names = (await query(database, statement)).map((row) => (row as { name: string }).name);
      // A trigger removes the row ids of a blog.
      const removed = database.kind === 'SQLite' ? [...BLOG_TABLES, 'post_rows'] : BLOG_TABLES;
      expect(names.toSorted()).toEqual(removed.toSorted());
    }));

  test('renaming a blog changes nothing else', () =>
    withStore(async (store) => {
      await store.putBlog(blog('named'), NOW);
      expect(await store.renameBlog('named', 'Other')).toBe(true);
      expect(await store.renameBlog('nobody', 'Other')).toBe(false);
      expect((await store.listBlogs()).find(({ id }) => id === 'named')).toMatchObject({
        name: 'Other',
        domains: ['news.example'],
        posts: 2,
      });
    }));

  test('an import keeps a name and domains that its source omits', () =>
    withStore(async (store) => {
      await store.putBlog({ ...blog('kept'), posts: [] }, NOW);
      const before = async () => (await store.listBlogs()).find(({ id }) => id === 'kept');
      const snapshot = { blogs: [{ id: 'kept', name: 'kept' }] };
      await importContent(store, { snapshot, unnamed: true }, { now: NOW });
      expect(await before()).toMatchObject({ name: 'Blog', domains: ['news.example'], ads: 1 });
      await importContent(store, { snapshot }, { now: NOW });
      expect(await before()).toMatchObject({ name: 'kept', domains: ['news.example'] });
    }));

  test('the publisher of a blog is set, exported, and kept by imports that omit it', () =>
    withStore(async (store) => {
      await store.putBlog(blog('printed'), NOW);
      const publisher = async () => (await store.listBlogs('printed'))[0]?.publisher;
      const set = (args: object) => run(store, 'blogs.publisher', 'printed', args);
      expect(await set({})).toEqual({});
      expect(await publisher()).toBeUndefined();
      await set({ logoUrl: 'https://news.example/logo.png', contact: ' ads@news.example ' });
      const both = { logoUrl: 'https://news.example/logo.png', contact: 'ads@news.example' };
      expect([await publisher(), await set({})]).toEqual([both, both]);
      await importContent(store, { snapshot: { blogs: [blog('printed')] } }, { now: NOW });
      const exported = await store.exportBlog('printed');
      expect(exported?.publisher).toEqual(both);
      await expect(set({ logoUrl: 'logo.png' })).rejects.toThrow(
        '"logo.png" is not a complete URL, such as https://news.example/logo.png',
      );
      await set({ logoUrl: '' });
      expect(await publisher()).toEqual({ contact: 'ads@news.example' });
      await importContent(store, { snapshot: { blogs: exported ? [exported] : [] } }, { now: NOW, prune: true });
      expect(await publisher()).toEqual(both);
    }));

  test('the time zone of a blog is set, exported, and kept by imports that omit it', () =>
    withStore(async (store) => {
      await store.putBlog(blog('zoned'), NOW);
      const head = async () => (await store.listBlogs('zoned'))[0];
      expect(await head()).not.toHaveProperty('timeZone');
      expect(await store.exportBlog('zoned')).not.toHaveProperty('timeZone');
      const berlin = 'Europe/Berlin';
      expect(await run(store, 'blogs.time-zone', 'zoned', { timeZone: berlin })).toMatchObject({
        before: 'UTC',
        timeZone: berlin,
      });
      expect(await head()).toMatchObject({ timeZone: berlin });
      const exported = await store.exportBlog('zoned');
      expect(exported).toMatchObject({ timeZone: berlin });
      await importContent(store, { snapshot: { blogs: [blog('zoned')] } }, { now: NOW });
      expect(await head()).toMatchObject({ timeZone: berlin });
      await run(store, 'blogs.time-zone', 'zoned', { timeZone: 'Asia/Tokyo' });
      const snapshot = { blogs: exported ? [exported] : [] };
      await importContent(store, { snapshot }, { now: NOW, prune: true });
      expect(await head()).toMatchObject({ timeZone: berlin });
      const empty = run(store, 'blogs.time-zone', 'zoned', { timeZone: '' });
      await expect(empty).rejects.toThrow('enter a time zone, such as Europe/Berlin');
      const fixed = run(store, 'blogs.time-zone', 'zoned', { timeZone: 'EST' });
      await expect(fixed).rejects.toThrow('EST has no daylight saving time; enter the name of a place');
      for (const zone of ['Berlin', '+01:00'])
        await expect(run(store, 'blogs.time-zone', 'zoned', { timeZone: zone })).rejects.toThrow(
          `${JSON.stringify(zone)} is not a time zone; expected a name such as Europe/Berlin, America/New_York or UTC`,
        );
      const wrong = { blogs: [{ id: 'zoned', name: 'Z', timeZone: 'Berlin' }] };
      await expect(importContent(store, { snapshot: wrong }, { now: NOW })).rejects.toThrow(
        'timeZone: expected the name of a time zone, such as Europe/Berlin',
      );
      expect(await head()).toMatchObject({ timeZone: berlin });
    }));

  test('a restored item does not bring back earlier domains', () =>
    withStore(async (store) => {
      await store.putBlog(blog('undone'), NOW);
      await store.deletePost('undone', 'p', NOW);
      await store.deleteAd('undone', AD, NOW);
      await store.setDomains('undone', ['other.example']);
      await run(store, 'posts.restore', 'undone', { post: 'p' });
      await run(store, 'ads.restore', 'undone', { ad: AD });
      expect((await store.listBlogs()).find(({ id }) => id === 'undone')).toMatchObject({
        domains: ['other.example'],
        posts: 2,
        ads: 1,
      });
    }));

  test('an id that is a path of the panel is refused, in a new blog and in an import', () =>
    withStore(async (store) => {
      for (const id of ['blogs', 'people', 'log', 'assets', 'sign-in', 'sign-out', '..']) {
        const message = `a blog cannot have the id "${id}": /panel/${id} is a URL of the panel itself; choose another`;
        await expect(run(store, 'blogs.create', id, {})).rejects.toMatchObject({ problems: [{ message }] });
        const snapshot = { blogs: [{ id, name: 'Blog' }] };
        await expect(importContent(store, { snapshot }, { now: NOW })).rejects.toMatchObject({
          problems: [{ at: `blog ${id}`, message }],
        });
      }
    }));

  test('a typed id must be easy to type again, unless the blog exists', () =>
    withStore(async (store) => {
      for (const id of ['news', 'Grüße-2', 'a.b_c', '7', 'नमस्ते']) expect(wrongBlogId(id)).toBeUndefined();
      for (const id of ['', ' ', 'bad id!', '-news', '.news', 'a/b', 'a?b', 'tea\u{1f375}', 'a\nb', 'x'.repeat(201)]) {
        const message = expect.stringMatching(
          /^the id of a blog cannot be ("|a text of 201 characters).*at most 200 characters in all$/,
        );
        expect(wrongBlogId(id)).toEqual(message);
        await expect(run(store, 'blogs.create', id, { name: 'News' })).rejects.toMatchObject({
          problems: [{ message }],
        });
      }
      await importContent(store, { snapshot: { blogs: [{ id: 'bad id!', name: 'Old' }] } }, { now: NOW });
    }));

  test('a key has a label and its first characters, and its last use is recorded once an hour', () =>
    withStore(async (store) => {
      await store.putBlog(blog('used'), NOW);
      const { apiKey } = (await run(store, 'keys.create', 'used', { label: ' The site ' })) as { apiKey: string };
      const find = async (wanted: string | null) =>
        (await store.listKeys('used')).find(({ label }) => label === wanted);
      expect(await find(null)).toMatchObject({ start: null, usedAt: null });
      expect(await find('The site')).toMatchObject({ start: apiKey.slice(0, 8), usedAt: null });
      const usedAt = async () => (await find('The site'))?.usedAt;
      onTestFinished(() => void vi.useRealTimers());
      const use = async (at: string) => {
        vi.setSystemTime(at);
        for (let time = 0; time < 3; time += 1) expect((await store.findBlog(apiKey))?.id).toBe('used');
      };
      const [first, soon, later] = ['2030-01-01T10:00:00.000Z', '2030-01-01T10:59:00.000Z', '2030-01-01T11:00:00.000Z'];
      vi.useFakeTimers({ toFake: ['Date'] });
      await use(first);
      await expect.poll(usedAt).toBe(first);
      await use(soon);
      await use(later);
      await expect.poll(usedAt).toBe(later);
      expect((await find(null))?.usedAt).toBeNull();
    }));

  test('a second key also gives access to the blog', () =>
    withStore(async (store) => {
      await store.putBlog(blog('keys'), NOW);
      await store.addKey('keys', 'second', NOW);
      for (const key of ['key-keys', 'second']) expect((await store.findBlog(key))?.id).toBe('keys');
      await expect(store.addKey('nobody', 'third', NOW)).rejects.toThrow(/no blog nobody/);
    }));

  test('a deleted ad is no longer delivered, keeps its counts, and can be restored', () =>
    withStore(async (store) => {
      await store.putBlog(blog('ads'), NOW);
      await store.deliver('ads', { slots: [{ candidates: [AD] }] }, NOW);
      expect(await store.deleteAd('ads', AD, NOW)).toBe(true);
      expect(await store.listAds('ads')).toEqual([]);
      expect(await store.deleteAd('ads', AD, NOW)).toBe(false);
      expect(await store.deleteAd('nobody', AD, NOW)).toBe(false);
      expect(await store.figures('ads', { by: ['ad'] })).toMatchObject([{ ad: AD, delivered: 1 }]);
      await run(store, 'ads.restore', 'ads', { ad: AD });
      expect(await store.listAds('ads')).toHaveLength(1);
    }));

  test('the parts of an import may swap slugs, but not take the slug of a post outside the import', () =>
    withStore(async (store) => {
      const part = (...posts: readonly [string, string][]) => ({
        id: 'parts',
        name: 'Parts',
        posts: posts.map(([id, slug]) => ({ id, title: id, slug })),
      });
      await store.importBlogs([part(['a', 'one'], ['b', 'two'], ['c', 'three'])], NOW);
      const moved = [part(['a', 'two']), part(['b', 'one'], ['d', 'four'])];
      const imported = await store.importBlogs(moved, NOW, { allowMovedUrls: true });
      expect(imported).toMatchObject([
        { id: 'parts', posts: 3, newPosts: 1, changed: [], changes: { posts: { added: ['d'], changed: ['a', 'b'] } } },
      ]);
      const slugs = (await store.exportBlog('parts'))?.posts.map(({ id, slug }) => [id, slug]).sort();
      expect(slugs).toEqual([
        ['a', 'two'],
        ['b', 'one'],
        ['c', 'three'],
        ['d', 'four'],
      ]);
      const taking = [part(['a', 'one']), part(['b', 'three'])];
      await expect(store.importBlogs(taking, NOW, { allowMovedUrls: true })).rejects.toThrow(/three/);
    }));

  const repeatable = {
    slots: [{ candidates: [AD], placement: 'top' }],
    idempotency: { keyHash: 'key', requestHash: 'request', deliveryId: 'delivery' },
  };
  test('a deleted blog leaves no rows, and its id and keys can be used again', () =>
    withStore(async (store) => {
      await store.putBlog(blog('other'), NOW);
      const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring' }];
      await store.putBlog({ ...blog('gone'), campaigns }, NOW);
      await store.deliver('gone', { ...repeatable, campaigns: new Map([[AD, 'c']]) }, NOW);
      expect(await store.recordClick('gone', click('used'))).toBe('counted');
      await store.invitePerson({ name: 'Ann', role: 'manage', blogId: 'gone' }, 'ann', NOW);
      await store.invitePerson({ name: 'Bob', role: 'manage', blogId: null }, 'bob', NOW);
      await store.writeLog({ at: new Date(NOW).toISOString(), who: 'Ann', blogId: 'gone', what: 'did something' });
      await store.addReportLink({ blog: 'gone', campaign: 'c' }, 'token', NOW, { expiresAt: null, showsPace: false });
      const dates = { createdAt: new Date(NOW).toISOString(), expiresAt: null };
      await store.createToken({ name: 'ci', scope: 'import', blogId: 'gone', ...dates }, 'a token');
      const added = { format: 'BANNER', title: 'Deleted', campaignId: 'c' };
      const deleted = await run(store, 'ads.add', 'gone', added);
      await store.deleteAd('gone', deleted.id, NOW);
      const hook = { id: 'hook', url: 'https://tea.example/hook', types: ['ads.changed'] as const, secret: 'whsec_a' };
      await store.addHook('gone', hook, NOW);
      await store.testHook('gone', 'hook');
      await store.recordViewable('gone', [
        { tokenId: 'seen', tokenExpiresAt: NOW + 1000, adId: AD, day: '2026-01-01' },
      ]);
      await store.putImage('gone', { hash: 'hash', extension: 'png', bytes: new Uint8Array(600_000) });
      expect(Object.values(await rowsOf('gone'))).not.toContain(0);

      expect(await store.deleteBlog('gone')).toBe(true);
      expect(await store.deleteBlog('gone')).toBe(false);
      expect(new Set(Object.values(await rowsOf('gone')))).toEqual(new Set([0]));
      expect(await store.findBlog('key-gone')).toBeUndefined();
      expect((await store.listPeople(NOW)).map(({ name }) => name)).toEqual(['Bob']);
      expect(await store.signIn('ann', 'session', NOW)).toBeUndefined();
      expect((await store.findBlog('key-other'))?.id).toBe('other');
      expect(await store.searchPosts('other', ['zebra'], ALL)).toHaveLength(1);

      // An event that arrives late finds no blog.
      await store.deliver('gone', repeatable, NOW);
      expect(await store.recordClick('gone', click('late'))).toBe('used');
      expect(new Set(Object.values(await rowsOf('gone')))).toEqual(new Set([0]));

      await store.putBlog(blog('gone'), NOW);
      expect((await store.findBlog('key-gone'))?.id).toBe('gone');
      expect(await store.figures('gone', { by: [] })).toEqual([]);
      expect(await store.recordClick('gone', click('used'))).toBe('counted');
      expect((await store.searchPosts('gone', ['zebra'], ALL)).map(({ id }) => id)).toEqual(['p']);
    }));
});
