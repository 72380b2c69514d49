import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { openStore } from '../../management/src/open-store.ts';

const AD = '00000000-0000-4000-8000-000000000001';
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ALL = { offset: 0, limit: 10 };
const file = (name: string) => readFileSync(new URL(`upgrade/${name}`, import.meta.url));
const click = (tokenId: string, visitor: string, at = NOW) => ({
  ...{ tokenId, visitor, at, adId: AD, placement: 'top' },
  tokenExpiresAt: at + 600_000,
  repeatSince: at - 1_800_000,
});

/** Opens what an earlier Broadsheet wrote: everything is there, and what came since works on it. */
async function upgraded(url: string): Promise<void> {
  const store = await openStore(url);
  try {
    expect(await store.findBlog('a-key')).toMatchObject({ id: 'news', domains: ['news.example'] });
    const blog = await store.exportBlog('news');
    expect(blog).toMatchObject({
      name: 'The News',
      categories: [{ id: 'c', name: 'É', description: '"quoted" \\' }],
      tags: [{ id: 't' }],
      ads: [{ id: AD, title: 'Tea', priority: 3 }],
    });
    expect(blog?.posts.find(({ id }) => id === 'p')).toMatchObject({
      content: '<p>"It\'s" \\ 😀 é</p>\n',
      publishedAt: '2026-01-01T00:00:00.000Z',
      categoryIds: ['c'],
      tagIds: ['t'],
    });
    expect((await store.searchPosts('news', ['zebra'], ALL)).map(({ id }) => id)).toEqual(['p']);
    expect(await store.countsByDay('news')).toEqual([{ day: '2026-03-01', adId: AD, impressions: 2, clicks: 1 }]);
    expect(await store.signingSecret()).toMatch(/^[\w-]{43}$/);
    expect(await store.recordClick('news', click('used', 'other'))).toBe('used');
    expect(await store.recordClick('news', click('fresh', 'v'))).toBe('repeated');

    await store.recordImpressions('news', [{ adId: AD, placement: 'top' }], NOW);
    expect(await store.countsByPlacement('news')).toMatchObject([{ placement: 'top', asked: 1 }]);
    expect((await store.findBlog('a-key'))?.nextDueAt).toBe(Date.parse('2026-03-06T09:00:00.000Z'));
    await store.publishDuePosts('news', Date.parse('2026-03-06T09:00:00.000Z'));
    expect(await store.getPostBySlug('news', 'friday')).toBeDefined();
    await store.invitePerson({ name: 'Ada', role: 'manage', blogId: null }, 'link', NOW);
    expect(await store.hasPeople()).toBe(true);
  } finally {
    await store.close();
  }
}

describe('a database of schema version 3, from before the panel, placements and scheduled posts', () => {
  test('SQLite', async () => {
    const path = temporaryFolder().join('b.db');
    writeFileSync(path, gunzipSync(file('sqlite-version-3.db.gz')));
    await upgraded(`sqlite:${path}`);
    // A second start finds nothing to do.
    await (await openStore(`sqlite:${path}`)).close();
  });

  test.skipIf(!inject('postgres'))('PostgreSQL', async () => {
    const url = await createPostgres();
    await queryPostgres(url, file('postgres-version-3.sql').toString());
    await upgraded(url);
    await (await openStore(url)).close();
  });
});
