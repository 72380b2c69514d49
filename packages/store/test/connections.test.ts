import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { openStore } from './open-store.ts';

const POOL = 3;
/** Those for imports and exports, and the one that listens for changes. */
const OTHERS = 2 + 1;

describe.skipIf(!inject('postgres'))('a store on PostgreSQL', () => {
  test('opens as many connections as its operator sets, however many requests come at once', async () => {
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
      // One at a time: a connection that counts looks like one of the store's until its query begins.
      if (index % 20 === 0) counting = counting.then(count);
    });
    await Promise.all(requests);
    await counting;
    expect(most).toBeGreaterThan(POOL);
    expect(most).toBeLessThanOrEqual(POOL + OTHERS);
  });
});
