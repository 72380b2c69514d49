import { openStore } from '@broadsheet/store/node';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { startPostgres } from '../../../tools/testing/own-postgres.ts';
import { betweenPostgres } from '../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';

// A transaction of which nothing was written to disk leaves no trace: after the crash, its id belongs to another one.
test.skipIf(!inject('postgres'))(
  'a commit that a crash has undone is refused, even if its transaction id is used again',
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const nextId = async () => {
      const [row] = (await queryPostgres(postgres.url, 'select pg_current_xact_id()::text as id')) as { id: string }[];
      return BigInt(row?.id ?? 0);
    };
    await vi.waitFor(nextId, { timeout: 60_000, interval: 20 });
    let isAway = false;
    let crash: Promise<void> | undefined;
    let isArmed = false;
    const through = await betweenPostgres(postgres.url, {
      refuse: () => (isAway ? Buffer.alloc(0) : undefined),
      sends(type, text) {
        if (type !== 'Q' || text !== 'commit' || !isArmed) return true;
        isArmed = false;
        isAway = true;
        crash = postgres.crash();
        return false;
      },
    });
    // Without a time limit, the store asks for longer than PostgreSQL needs to start again.
    const store = await openStore(through, { poolSize: 1, statementTimeout: 0 });
    onTestFinished(() => store.close());
    await store.putBlog({ id: 'b', name: 'B', apiKeys: ['k'], ads: [{ id: AD, format: 'BANNER' }] }, NOW);
    let reused = false;
    for (let round = 0; round < 5 && !reused; round += 1) {
      const before = await nextId();
      isArmed = true;
      const delivery = Promise.resolve(store.deliver('b', { slots: [{ candidates: [AD] }] }, NOW)).then(
        () => 'counted',
        (error: Error) => error.name,
      );
      await vi.waitFor(() => expect(crash).toBeDefined());
      await crash;
      crash = undefined;
      await postgres.start();
      const after = await vi.waitFor(nextId, { timeout: 60_000, interval: 20 });
      reused = after <= before + 1n;
      while ((await nextId()) <= before + 2n);
      isAway = false;
      expect(await delivery).toBe('StoreUnavailable');
    }
    expect(reused).toBe(true);
    expect((await store.figures('b', { by: [] }))[0]?.delivered ?? 0).toBe(0);
  },
  120_000,
);
