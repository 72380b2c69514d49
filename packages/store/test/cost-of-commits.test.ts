import type { Campaign, Delivery } from '@broadsheet/core';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import type { Database } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import type { Db } from '../src/sql.ts';
import { createSqlStore, type SqlStore } from '../src/sql-store.ts';

const NOON = Date.parse('2026-11-28T12:00:00.000Z');
const MIDNIGHT = Date.parse('2026-11-29T00:00:00.000Z');
const adId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A database that counts statements, transactions and returned rows. */
function counting(database: Database) {
  const count = { statements: 0, transactions: 0, rows: 0 };
  const counted =
    (db: Db): Db =>
    async (...statement) => {
      count.statements += 1;
      const rows = await db<never>(...statement);
      count.rows += rows.length;
      return rows;
    };
  const transact: Database['transact'] = (work, options) => {
    count.transactions += 1;
    return database.transact((db) => work(counted(db)), options);
  };
  return { count, database: { ...database, reader: counted(database.reader), transact } };
}

async function open(url: string) {
  const { count, database } = counting(await openDatabase(url));
  const store = createSqlStore(database);
  onTestFinished(() => store.close());
  /** What some work costs. */
  const costOf = async (work: () => Promise<unknown>) => {
    const before = { ...count };
    await work();
    const cost = (name: keyof typeof count) => count[name] - before[name];
    return { statements: cost('statements'), transactions: cost('transactions'), rows: cost('rows') };
  };
  return { store, costOf };
}

const evenly: Campaign = {
  ...{ id: 'c', sponsor: 'S', name: 'C', kind: 'paid', goal: { impressions: 1_000_000 }, perDay: null },
  ...{ startsAt: '2026-11-01T00:00:00.000Z', endsAt: '2026-12-31T00:00:00.000Z', pace: 'even' },
};

/** One delivery for each blog, which share a commit. */
const deliverAll = (store: SqlStore, blogs: readonly string[], at: number) =>
  Promise.all(
    blogs.map((blogId) => {
      const slots = [{ candidates: [adId(1)], placement: 'top' }];
      return store.deliver(blogId, { slots, campaigns: new Map([[adId(1), 'c']]) }, at);
    }),
  );

describeDatabases('a shared commit', (database) => {
  test('takes as many statements and transactions for 100 blogs as for one, at noon and after midnight', async () => {
    const costs = [];
    for (const size of [1, 100]) {
      const { store, costOf } = await open(await database.another());
      const blogs = Array.from({ length: size }, (_, index) => `b${index}`);
      const ads = [{ id: adId(1), format: 'BANNER' as const, campaignId: 'c' }];
      await store.importBlogs(
        blogs.map((id) => ({ id, name: id, campaigns: [evenly], ads })),
        NOON,
      );
      for (const hour of [0, 1]) await deliverAll(store, blogs, NOON - 3_600_000 * hour);
      await deliverAll(store, blogs, NOON);
      const [noon, midnight] = [NOON, MIDNIGHT].map((at) => () => deliverAll(store, blogs, at));
      const { rows: _, ...atNoon } = await costOf(noon as () => Promise<unknown>);
      const { rows: __, ...afterMidnight } = await costOf(midnight as () => Promise<unknown>);
      costs.push({ atNoon, afterMidnight });
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]?.atNoon.transactions).toBe(1);
    expect(costs[0]?.afterMidnight.transactions).toBe(2);
  });
});

describeDatabases('a delivery', (database) => {
  test('reads as much after 365 days as after one, and nothing of campaigns that have ended', async () => {
    const costs = [];
    for (const [campaigns, days] of [
      [1, 1],
      [300, 1],
      [1, 365],
    ] as const) {
      const { store, costOf } = await open(await database.another());
      const running = { ...evenly, id: 'running', pace: 'fast' as const };
      const ended = Array.from({ length: campaigns }, (_, index): Campaign => {
        return { ...running, id: `c${index}`, goal: { impressions: 1 } };
      });
      const ids = [...ended, running].map(({ id }) => id);
      const ads = ids.map((campaignId, index) => ({ id: adId(index), format: 'BANNER' as const, campaignId }));
      await store.importBlogs([{ id: 'b', name: 'B', campaigns: [...ended, running], ads }], NOON);
      const all: Delivery = {
        slots: [{ candidates: ads.map(({ id }) => id) }],
        campaigns: new Map(ads.map(({ id, campaignId }) => [id, campaignId])),
      };
      for (const { id, campaignId } of ads.slice(0, -1)) {
        await store.deliver('b', { slots: [{ candidates: [id] }], campaigns: new Map([[id, campaignId]]) }, NOON);
      }
      const last = ads.slice(-1);
      const some: Delivery = {
        ...all,
        slots: [{ candidates: last.map(({ id }) => id) }],
        campaigns: new Map(last.map(({ id }) => [id, 'running'])),
      };
      for (let day = days; day > 0; day -= 1) await store.deliver('b', some, NOON - day * 86_400_000);
      // The first delivery finds out what has ended.
      await store.deliver('b', all, NOON);
      expect((await store.listEnded?.('b'))?.length).toBe(campaigns);
      costs.push(await costOf(async () => store.deliver('b', some, NOON)));
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[2]).toEqual(costs[0]);
  });
});
