import { LIMITS } from '@broadsheet/contract';
import { openStore } from '@broadsheet/store/node';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import type { SqlStore } from '../src/sql-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';
const DELIVERY = { slots: [{ candidates: [AD], placement: 'top' }], campaigns: new Map([[AD, 'c']]) };
const ad = { id: AD, format: 'BANNER' as const, campaignId: 'c' };
const CAMPAIGN = { id: 'c', sponsor: 'Tea', name: 'Spring' };

const impressions = async (store: SqlStore, blog: string) => (await store.figures(blog, { by: [] }))[0]?.delivered ?? 0;

describe.skipIf(!inject('postgres'))('on PostgreSQL', () => {
  let url: string;
  let store: SqlStore;
  beforeAll(async () => {
    url = await createPostgres();
    store = await openStore(url);
    for (const id of ['one', 'two', 'three'])
      await store.putBlog({ id, name: id, campaigns: [CAMPAIGN], ads: [ad] }, NOW);
    for (const id of ['one', 'two', 'three']) await store.deliver(id, DELIVERY, NOW);
  });
  afterAll(() => store?.close());

  /** Keeps the rows of a statement locked until the test ends. */
  async function lock(statement: string): Promise<() => Promise<void>> {
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await client.query(statement);
    return async () => void (await client.query('rollback'));
  }

  test.each([
    ['a campaign', "select from campaigns where blog_id = 'one' for update"],
    ['what a campaign has delivered', "update campaign_counts set clicks = 0 where blog_id = 'one'"],
    ['counts', "update counts set clicks = 0 where blog_id = 'one'"],
    ['hours', "update hour_counts set deliveries = 0 where blog_id = 'one'"],
  ])('locked rows of %s stop the deliveries of their blog only', async (_, statement) => {
    const before = [await impressions(store, 'one'), await impressions(store, 'two')];
    const unlock = await lock(statement);
    for (const round of [1, 2]) {
      const together = ['one', 'two', 'three', 'one'].map(async (blog) => store.deliver(blog, DELIVERY, NOW));
      const outcomes = (await Promise.allSettled(together)).map(({ status }) => status);
      expect([round, ...outcomes]).toEqual([round, 'rejected', 'fulfilled', 'fulfilled', 'rejected']);
    }
    await unlock();
    await store.deliver('one', DELIVERY, NOW);
    expect([await impressions(store, 'one'), await impressions(store, 'two')]).toEqual([
      (before[0] ?? 0) + 1,
      (before[1] ?? 0) + 2,
    ]);
  });
});

describeDatabases('a delivery that fails', (database) => {
  test.each<[string, object]>([
    ['because of a text that the database cannot hold', { slots: [{ candidates: ['a\0b'], placement: 'top' }] }],
    ['because of a constraint', { slots: [{ candidates: [null], placement: 'top' }] }],
  ])('%s fails no others', async (_, delivery) => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const blog = crypto.randomUUID();
    for (const id of [blog, `${blog} 2`]) await store.putBlog({ id, name: id, campaigns: [CAMPAIGN], ads: [ad] }, NOW);
    const valid = ['', ' 2'].map(async (more) => store.deliver(`${blog}${more}`, DELIVERY, NOW));
    const failing = store.deliver(blog, delivery as typeof DELIVERY, NOW);
    const outcomes = await Promise.allSettled([failing, ...valid]);
    expect(outcomes.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect([await impressions(store, `${blog} 2`)]).toEqual([1]);
  });

  test('does not let a blog exceed the limit of placements that are counted separately', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const blog = crypto.randomUUID();
    await store.putBlog({ id: blog, name: 'B' }, NOW);
    const failing = { slots: [{ candidates: [null], placement: 'top' }] };
    await expect(store.deliver(blog, failing as unknown as typeof DELIVERY, NOW)).rejects.toThrow();
    await store.deliver(blog, { slots: [{ candidates: [], placement: 'top' }] }, NOW);
    const slots = Array.from({ length: LIMITS.placements }, (_, index) => ({ candidates: [], placement: `${index}` }));
    await store.deliver(blog, { slots }, NOW);
    const figures = await store.figures(blog, { by: ['placement'] });
    expect(figures).toHaveLength(LIMITS.placements + 1);
    expect(figures.find(({ placement }) => placement === 'other')).toMatchObject({ requests: 1 });
  });

  test('with 1,000 campaigns, one of them in an unknown time zone, fails no other deliveries', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const [large, small] = [crypto.randomUUID(), crypto.randomUUID()];
    const ids = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    await store.putBlog({ id: large, name: 'L', campaigns: ids.map((id) => ({ id, sponsor: 'S', name: id })) }, NOW);
    await store.putBlog({ id: small, name: 'S', campaigns: [CAMPAIGN], ads: [ad] }, NOW);
    const candidates = ids.map((id) => `ad of ${id}`);
    const many = { slots: [{ candidates }], campaigns: new Map(ids.map((id) => [`ad of ${id}`, id])) };
    const all = await Promise.all([
      store.deliver(large, many, NOW),
      store.deliver(small, DELIVERY, NOW),
      store.deliver(small, { ...DELIVERY, timeZone: 'Mars/Olympus' }, NOW),
    ]);
    expect(all.map(({ adIds }) => adIds[0])).toEqual(['ad of c0', AD, AD]);
    expect(await store.figures(small, { by: ['day'] })).toMatchObject([{ day: '2026-03-01', delivered: 2 }]);
  });
});
