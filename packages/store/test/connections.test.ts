import { openStore } from '@broadsheet/store/node';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';

const POOL = 3;
/** The connections for imports and exports, and the one that listens for changes. */
const OTHERS = 2 + 1;

describe.skipIf(!inject('postgres'))('a store on PostgreSQL', () => {
  test('opens no more connections than its operator sets, even under many concurrent requests', async () => {
    const url = await createPostgres();
    const store = await openStore(url, { poolSize: POOL });
    onTestFinished(() => store.close());
    await store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [{ id: 'p', slug: 'p', title: 'P' }] }, 0);
    let most = 0;
    let counting = Promise.resolve();
    const count = async () => {
      const [row] = await queryPostgres(
        url,
        "select count(*)::int as open from pg_stat_activity where datname = current_database() and query not like '%pg_stat_activity%'",
      );
      most = Math.max(most, (row as { open: number }).open);
    };
    const requests = Array.from({ length: 200 }, async (_, index) => {
      await store.findBlog(`key${index % 2 || ''}`);
      await store.getPost('b', 'p');
      await store.exportBlog('b');
      await store.recordClick('b', {
        tokenId: `${index}`,
        tokenExpiresAt: 1,
        adId: 'ad',
        visitor: undefined,
        at: 0,
        repeatSince: 0,
      });
      // One at a time: until its query begins, a connection that counts looks like a connection of the store.
      if (index % 20 === 0) counting = counting.then(count);
    });
    await Promise.all(requests);
    await counting;
    // A slow machine may use fewer than it could; the promise is the upper bound.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(POOL + OTHERS);
  });
});
