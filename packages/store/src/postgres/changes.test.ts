import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../../tools/testing/databases.ts';
import { betweenPostgres } from '../../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../../tools/testing/query-postgres.ts';
import { openStore } from '../open-store.ts';
import { PostgresChanges } from './changes.ts';
import { connect } from './driver.ts';

/** A database with a blog, and a function that listens to its changes through a URL. */
async function setup(through: (url: string) => Promise<string> = async (url) => url) {
  const url = await createPostgres();
  const store = await openStore(url);
  onTestFinished(() => store.close());
  await store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'] }, 0);
  const reachedUrl = await through(url);
  const postgres = connect(reachedUrl, { size: 2, statementTimeout: 0 });
  const changes = new PostgresChanges(postgres.db, reachedUrl);
  onTestFinished(async () => {
    await changes.close();
    await postgres.close();
  });
  const reported: (string | undefined)[] = [];
  changes.listen((blogId) => reported.push(blogId));
  return { url, store, changes, reported };
}

/** Forwards everything except notifications, as a connection pooler may. */
const withoutNotifications = (url: string) => betweenPostgres(url, { passes: (type) => type !== 'A' });

describe.skipIf(!inject('postgres'))('changes of PostgreSQL', () => {
  test('changes are reported by blog, and without changes, cached reads stay valid', async () => {
    const { store, changes, reported } = await setup();
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    const epoch = changes.epoch();
    reported.length = 0;
    await store.addKey('b', 'another', 0);
    await store.revokeKeys('b', undefined, 1);
    await store.createBlog({ id: 'long'.repeat(1000), name: 'Long', domains: [] });
    await store.deleteBlog('b');
    await expect.poll(() => [...new Set(reported)]).toEqual(['b', undefined]);
    // Longer than cached reads are trusted without a heartbeat.
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(1500);
    expect(changes.epoch()).toBe(epoch);
  });

  test('changes that may have been missed while the connection was broken count as changes of every blog', async () => {
    const { url, changes, reported } = await setup();
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    const epoch = changes.epoch();
    reported.length = 0;
    await queryPostgres(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
    );
    await expect.poll(() => changes.epoch()).toBeGreaterThan(0);
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    expect(changes.epoch()).not.toBe(epoch);
    expect(reported).toContain(undefined);
  });

  test('notifications arrive through another connection when this one leads to an abandoned server', async () => {
    const seen = { last: 0, deaf: 0 };
    const passes = (type: string, connection: number) => {
      seen.last = Math.max(seen.last, connection);
      return type !== 'A' || connection > seen.deaf;
    };
    const { store, changes, reported } = await setup((url) => betweenPostgres(url, { passes }));
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    seen.deaf = seen.last;
    await expect.poll(() => changes.epoch()).toBeGreaterThan(0);
    await expect.poll(() => changes.epoch(), { timeout: 5000 }).toBeLessThan(0);
    reported.length = 0;
    await store.addKey('b', 'another', 0);
    await expect.poll(() => reported).toEqual(['b']);
  });

  test('notifications are requested on another connection if the first gets no response', async () => {
    let ready = 0;
    const passes = (type: string, connection: number) => {
      // The first connection is opened, but then stays silent.
      if (connection === 1 && type === 'Z') ready += 1;
      return connection > 1 || ready < 2;
    };
    const { store, changes, reported } = await setup((url) => betweenPostgres(url, { passes }));
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    expect(ready).toBe(2);
    reported.length = 0;
    await store.addKey('b', 'another', 0);
    await expect.poll(() => reported).toEqual(['b']);
  });

  test('if notifications are never forwarded, cached reads expire soon', async () => {
    const { changes } = await setup(withoutNotifications);
    const epochs = new Set<number>();
    await expect
      .poll(() => {
        epochs.add(changes.epoch());
        return epochs.size;
      })
      .toBeGreaterThan(3);
    expect(Math.min(...epochs)).toBeGreaterThanOrEqual(0);
  });
});
