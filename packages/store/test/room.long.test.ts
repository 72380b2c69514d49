import { LIMITS } from '@broadsheet/contract';
import { describe, expect, inject, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openDatabase } from '../src/open-database.ts';
import { insert } from '../src/sql.ts';
import { createSqlStore } from '../src/sql-store.ts';

const postgres = inject('postgres');
const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(12, '0'));
const ad = (id: string) => ({ id: `00000000-0000-4000-8000-${id}`, format: 'BANNER' as const });
const campaign = (id: string) => ({ id, sponsor: 'S', name: id });
const image = (index: number) => {
  const hash = String(index).padStart(64, '0');
  return { hash, extension: 'png' as const, bytes: new Uint8Array([1]) };
};

describe.for([
  ['SQLite', async () => `sqlite:${temporaryFolder().join('b.db')}`],
  ['PostgreSQL', createPostgres],
] as const)('the limits of a blog on %s', ([name, createUrl]) => {
  const isHere = name === 'SQLite' || Boolean(postgres);

  test.skipIf(!isHere)('ads, campaigns, categories and tags are limited', async () => {
    const database = await openDatabase(await createUrl());
    const store = createSqlStore(database);
    const blog = { id: 'b', name: 'B' };
    const lists = {
      ads: ids(LIMITS.ads.max).map(ad),
      campaigns: ids(LIMITS.campaigns.max).map(campaign),
      categories: ids(LIMITS.labels.max).map((id) => ({ id, name: id })),
      tags: ids(LIMITS.labels.max).map((id) => ({ id, name: id })),
    };
    await store.importBlogs([{ ...blog, ...lists }], 0);
    // Items that the blog already has can be imported again.
    await store.importBlogs([{ ...blog, ...lists, name: 'Same' }], 0);
    for (const [what, more] of Object.entries({
      ads: [ad('999999999999')],
      campaigns: [campaign('more')],
      categories: [{ id: 'more', name: 'More' }],
      tags: [{ id: 'more', name: 'More' }],
    })) {
      const most = lists[what as keyof typeof lists].length.toLocaleString('en');
      await expect(store.importBlogs([{ ...blog, name: 'More', [what]: more }], 0)).rejects.toThrow(
        `blog b: a blog has at most ${most} ${what}`,
      );
    }
    expect((await store.listBlogs()).map((one) => one.name)).toEqual(['Same']);
    await expect(
      store.putAd('b', { ...(await store.listAllAds('b'))[0], ...ad('999999999999') } as never),
    ).rejects.toThrow('at most 10,000 ads');
    // Another blog has as much room.
    await store.importBlogs([{ id: 'c', name: 'C', campaigns: lists.campaigns }], 0);
    await database.close();
  });

  test.skipIf(!isHere)('images are limited', async () => {
    const database = await openDatabase(await createUrl());
    const store = createSqlStore(database);
    const row = { blog_id: 'b', part: 0, extension: 'png' as const, size: 1, bytes: new Uint8Array([1]) };
    const most = LIMITS.images.max;
    for (let from = 0; from < most; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({ ...row, hash: image(from + index).hash }));
      await database.transact((db) => insert(db, 'images', rows));
    }
    await store.putImage('b', image(0));
    await expect(store.putImage('b', image(most))).rejects.toThrow('a blog has at most 20,000 images');
    expect(await store.missingImages('b', [image(most).hash])).toEqual([image(most).hash]);
    await store.putImage('c', image(most));
    await database.close();
  });
});
