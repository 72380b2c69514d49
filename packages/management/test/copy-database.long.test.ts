import { randomUUID } from 'node:crypto';
import { decoded } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { type CopyProgress, copyDatabase, DatabaseNotEmpty, NotOurs } from '@broadsheet/store';
import { openStore, sqlCopyEnd } from '@broadsheet/store/node';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ALL = { offset: 0, limit: 2000 };
const AD = '00000000-0000-4000-8000-000000000001';
const click = (tokenId: string, visitor: string) => ({
  tokenId,
  tokenExpiresAt: NOW + 600_000,
  adId: AD,
  visitor,
  at: NOW,
  repeatSince: NOW - 1000,
});

const DELIVERY = {
  campaigns: new Map([[AD, 'c']]),
  slots: [{ candidates: [AD], placement: 'top' }, { candidates: [AD] }, { candidates: [], placement: 'top' }],
  idempotency: { keyHash: 'key', requestHash: 'request', deliveryId: 'first' },
};
const REPLAY = { ...DELIVERY, idempotency: { ...DELIVERY.idempotency, deliveryId: 'second' } };

async function withStore<T>(url: string, work: (store: SqlStore) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes a row into every table. */
const fill = (url: string) =>
  withStore(url, async (store) => {
    for (const id of ['one', 'two', 'empty'])
      await store.createBlog({ id, name: `Blog ${id}`, domains: ['*.example'] });
    const posts = Array.from({ length: 1200 }, (_, index) => ({
      id: `p${index}`,
      slug: `s${index}`,
      title: `Title ${index} café ${index % 7 === 0 ? 'zebra' : 'giraffe'}`,
      content: `Content "${index}" \\ 😀`,
      status: (['PUBLISHED', 'PUBLISHED', 'DRAFT', 'SCHEDULED'] as const)[index % 4] ?? 'DRAFT',
      publishedAt: index % 4 < 2 ? new Date(NOW - index * 1000).toISOString() : null,
      scheduledAt: index % 4 === 3 ? new Date(NOW + index * 1000).toISOString() : null,
      categoryIds: ['c'],
      tagIds: index % 2 ? ['t'] : [],
    }));
    const labels = { categories: [{ id: 'c', name: 'C', description: 'D' }], tags: [{ id: 't', name: 'T' }] };
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring', goal: { impressions: 1000 } }];
    const ads = [{ id: AD, format: 'BANNER' as const, title: 'Tea', campaignId: 'c' }];
    await store.putBlog({ id: 'one', name: 'One', apiKeys: ['key-one'], ...labels, posts, campaigns, ads }, NOW);
    await store.putBlog(
      { id: 'two', name: 'Two', apiKeys: ['key-two'], ...labels, posts: posts.slice(0, 5), campaigns, ads },
      NOW,
    );
    await store.addKey('one', 'revoked', NOW);
    const revoked = (await store.listKeys('one')).find(({ revokedAt }) => revokedAt === null);
    expect(revoked).toBeDefined();
    // Their first use is written in the background.
    for (const [id, key] of Object.entries({ one: 'key-one', two: 'key-two' })) {
      await store.findBlog(key);
      const isUsed = async () => (await store.listKeys(id)).some(({ usedAt }) => usedAt !== null);
      await vi.waitUntil(isUsed, { timeout: 60_000 });
    }
    await store.deliver('one', DELIVERY, NOW);
    expect(await store.recordClick('one', click('used', 'ann'))).toBe('counted');
    await store.signingSecret();
    await store.invitePerson({ name: 'Ann', role: 'manage', blogId: null }, 'ann', NOW);
    await store.invitePerson({ name: 'Bob', role: 'view', blogId: 'one' }, 'bob', NOW);
    expect(await store.signIn('bob', 'session', NOW)).toBeDefined();
    await store.writeLog({ at: new Date(NOW).toISOString(), who: 'Ann', blogId: 'one', what: 'did something' });
  });

/** Everything that a store can return. */
const read = (url: string) =>
  withStore(url, async (store) => {
    const blogs = await store.listBlogs();
    const of = async (id: string) => ({
      export: await store.exportBlog(id),
      keys: await store.listKeys(id),
      counts: await store.figures(id, { by: ['day', 'ad', 'campaign', 'placement', 'traffic'] }),
      list: decoded(await store.listPosts({ id, revision: randomUUID() }, ALL)).map((post) => post.id),
      tagged: (await store.listTagPosts({ id, revision: randomUUID() }, 't', ALL))?.total,
      categories: await store.listCategories(id),
      found: (await store.searchPosts(id, ['zeb', 'cafe'], ALL)).map((post) => post.id),
      log: await store.readLog({ blogId: id, offset: 0, limit: 10 }),
    });
    return {
      blogs,
      content: await Promise.all(blogs.map(({ id }) => of(id))),
      keys: await Promise.all(['key-one', 'key-two', 'nobody'].map(async (key) => store.findBlog(key))),
      secret: await store.signingSecret(),
      replay: blogs.length > 0 && (await store.deliver('one', REPLAY, NOW + 1)),
      people: await store.listPeople(NOW),
      session: await store.findSession('session', NOW),
    };
  });

const copy = (from: string, to: string, onProgress?: CopyProgress) =>
  copyDatabase(sqlCopyEnd(from), sqlCopyEnd(to), onProgress);

describeDatabases('a copy', (database) => {
  const other = async () =>
    database.kind === 'PostgreSQL' || !inject('postgres')
      ? `sqlite:${temporaryFolder().join('copy.db')}`
      : await createPostgres('template0');

  beforeAll(() => fill(database.url));

  test('a copy to the other kind of database and back is complete', async () => {
    const before = await read(database.url);
    expect(before.content[1]?.found.length).toBeGreaterThan(50);
    const there = await other();
    const copied = await copy(database.url, there);
    expect(copied).toMatchObject({ blogs: 3, posts: 1205, ads: 2, used_tokens: 1, counted_clicks: 1, secrets: 1 });
    expect(await read(there)).toEqual(before);
    const back =
      database.kind === 'SQLite' ? `sqlite:${temporaryFolder().join('back.db')}` : await createPostgres('template0');
    await copy(there, back);
    expect(await read(back)).toEqual(before);
    await withStore(back, async (store) => {
      expect(await store.recordClick('one', click('used', 'bob'))).toBe('used');
      expect(await store.recordClick('one', click('fresh', 'ann'))).toBe('repeated');
      // The copy can be written: search indexes and sequences continue.
      await store.createBlog({ id: 'three', name: 'Three', domains: [] });
      await store.putBlog(
        { id: 'two', name: 'Two', posts: [{ id: 'new', slug: 'new', title: 'One more zebra' }] },
        NOW,
      );
      expect((await store.searchPosts('two', ['zebra'], ALL)).map(({ id }) => id)).toContain('new');
    });
    await expect(copy(database.url, there)).rejects.toThrow(DatabaseNotEmpty);
    await expect(copy(database.url, there)).rejects.toThrow('it has the blogs empty, one, two.');
    expect(await read(there)).toEqual(before);
  });

  test('contains one consistent state of a source that is being written', async () => {
    const before = await read(database.url);
    const there = await other();
    const id = randomUUID();
    await withStore(database.url, async (store) => {
      let writes: Promise<unknown> | undefined;
      await copy(database.url, there, () => {
        writes ??= Promise.all([
          store.putBlog({ id: 'two', name: 'Changed', posts: [{ id: 'late', slug: 'late', title: 'Late' }] }, NOW),
          store.deliver('one', { slots: [{ candidates: [AD] }] }, NOW),
          store.createBlog({ id, name: 'Late', domains: [] }),
        ]);
      });
      await writes;
      expect((await store.listBlogs()).map((blog) => blog.id)).toContain(id);
    });
    expect(await read(there)).toEqual(before);
  });

  test('may replace a database without blogs, even if a server ran on it', async () => {
    const before = await read(database.url);
    const there = await other();
    await withStore(there, async (store) => {
      await store.signingSecret();
      await store.invitePerson({ name: 'Somebody', role: 'manage', blogId: null }, 'somebody', NOW);
      await store.putBlog({ id: 'gone', name: 'Gone', posts: [{ id: 'p', slug: 's', title: 'Gone' }] }, NOW);
      await store.deleteBlog('gone');
    });
    await copy(database.url, there);
    expect(await read(there)).toEqual(before);
  });

  test('a copy of a missing database is refused, and does not create it', async () => {
    const folder = temporaryFolder();
    const missing =
      database.kind === 'SQLite' ? `sqlite:${folder.join('missing.db')}` : await createPostgres('template0');
    await expect(copy(missing, `sqlite:${folder.join('target.db')}`)).rejects.toThrow();
    if (database.kind === 'PostgreSQL') await expect(openStore(missing, { create: false })).rejects.toThrow(NotOurs);
  });
});
