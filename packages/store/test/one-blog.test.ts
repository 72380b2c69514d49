import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '@broadsheet/core';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { openDatabase } from '../src/open-database.ts';
import { openStore } from '../src/open-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';
const DELIVERY = { slots: [{ candidates: [AD], placement: 'top' }], campaigns: new Map([[AD, 'c']]) };
const ad = { id: AD, format: 'BANNER' as const, campaignId: 'c' };
const CAMPAIGN = { id: 'c', sponsor: 'Tea', name: 'Spring' };
const due = { id: 'p', title: 'P', slug: 'p', status: 'SCHEDULED' as const, scheduledAt: '2026-03-01T12:00:00.000Z' };

async function setup(statementTimeout = 10_000) {
  const url = await createPostgres();
  const store = await openStore(url, { statementTimeout });
  onTestFinished(() => store.close());
  for (const id of ['one', 'two']) {
    await store.putBlog({ id, name: id, apiKeys: [id], campaigns: [CAMPAIGN], ads: [ad], posts: [due] }, NOW - 1000);
    await store.deliver(id, DELIVERY, NOW);
  }
  /** Takes locks as another program; call the result to release them. */
  async function lock(statement: string) {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`begin; ${statement}`);
    return () => client.end();
  }
  return { url, store, lock };
}

describe.skipIf(!inject('postgres'))('the trouble of one blog on PostgreSQL', () => {
  test('a blog is deleted while VACUUM works on a table of events, and the ads of others go on', async () => {
    const { store, lock } = await setup();
    // The lock that VACUUM takes.
    const release = await lock('lock table counts in share update exclusive mode');
    let isDeleted = false;
    const deleting = store.deleteBlog('one').then(() => {
      isDeleted = true;
    });
    for (let round = 0; round < 30; round += 1) {
      expect(await store.deliver('two', DELIVERY, NOW)).toMatchObject({ outcome: 'counted' });
      await sleep(20);
    }
    expect(isDeleted).toBe(false);
    await release();
    await deleting;
    expect((await store.listBlogs()).map(({ id }) => id)).toEqual(['two']);
  });

  test('a statement that times out for one blog fails no other', async () => {
    const { store, lock } = await setup(30);
    const release = await lock("select * from campaigns where blog_id = 'one' for update");
    const [one, two] = await Promise.allSettled(['one', 'two'].map((id) => store.deliver(id, DELIVERY, NOW)));
    await release();
    expect(two).toMatchObject({ status: 'fulfilled' });
    expect(one?.status === 'rejected' && one.reason).toBeInstanceOf(StoreUnavailable);
  });

  test('a blog whose due post cannot be published delays no other', async () => {
    const { store, lock } = await setup();
    const hook = { url: 'https://x.example/', types: ['post.published' as const], secret: 'whsec_AAAA' };
    for (const id of ['one', 'two']) await store.addHook(id, { id: 'h', ...hook }, NOW);
    const release = await lock("select * from blogs where blog_id = 'one' for update");
    expect([...(await store.outbox.publishDuePosts(NOW)).keys()]).toEqual(['one']);
    expect((await store.findBlog('two'))?.nextDueAt).toBeUndefined();
    await release();
    expect((await store.outbox.publishDuePosts(NOW)).size).toBe(0);
  });

  test('a due post is published while its blog is imported', async () => {
    const { store } = await setup();
    let round = 0;
    const ended = Promise.withResolvers<void>();
    const posts = Array.from({ length: 1000 }, (_, index) => ({ id: `i${index}`, title: 'I', slug: `i${index}` }));
    const importing = store.importBlogs([{ id: 'one', name: 'One', posts }], NOW, {
      // The first attempt never ends.
      onProgress: () => (round++ === 0 ? ended.promise : undefined),
    });
    await expect.poll(() => round).toBeGreaterThan(0);
    await store.publishDuePosts('one', NOW);
    expect((await store.findBlog('one'))?.nextDueAt).toBeUndefined();
    ended.resolve();
    await importing;
    expect((await store.findBlog('one'))?.nextDueAt).toBeUndefined();
  });

  test('a server that would lose acknowledged events in a crash says so at its start', async () => {
    const { url } = await setup();
    const reported: string[] = [];
    const open = async () => (await openDatabase(url, { report: (message) => reported.push(message) })).close();
    await open();
    expect(reported).toEqual([]);
    await queryPostgres(
      url,
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    );
    await open();
    expect(reported).toEqual([expect.stringContaining('synchronous_commit = off')]);
  });
});
