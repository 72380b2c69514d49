import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../../tools/testing/databases.ts';
import { betweenPostgres } from '../../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../../tools/testing/query-postgres.ts';
import { openStore } from '../../test/open-store.ts';
import type { Tables } from '../tables.ts';
import { PostgresChanges } from './changes.ts';

/** A database with a blog, and what listens to its changes by a URL. */
async function setup(through: (url: string) => Promise<string> = async (url) => url) {
  const url = await createPostgres();
  const store = await openStore(url);
  onTestFinished(() => store.close());
  await store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'] }, 0);
  const reachedUrl = await through(url);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: reachedUrl }) }),
  });
  const changes = new PostgresChanges(db, reachedUrl);
  onTestFinished(async () => {
    await changes.close();
    await db.destroy();
  });
  const reported: (string | undefined)[] = [];
  changes.listen((blogId) => reported.push(blogId));
  return { url, store, changes, reported };
}

/** Passes everything on but notifications, as a pool of connections may. */
const withoutNotifications = (url: string) => betweenPostgres(url, { passes: (type) => type !== 'A' });

describe.skipIf(!inject('postgres'))('changes of PostgreSQL', () => {
  test('are reported by the blog, and as long as there are none what was read stays good', async () => {
    const { store, changes, reported } = await setup();
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    const epoch = changes.epoch();
    reported.length = 0;
    await store.addKey('b', 'another', 0);
    await store.revokeKeys('b', undefined, 1);
    await store.createBlog({ id: 'long'.repeat(1000), name: 'Long', domains: [] });
    await store.deleteBlog('b');
    await expect.poll(() => [...new Set(reported)]).toEqual(['b', undefined]);
    // Longer than anything is trusted without a beat.
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(1500);
    expect(changes.epoch()).toBe(epoch);
  });

  test('that were missed while the connection was away are taken for changes of every blog', async () => {
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

  test('come by another connection when this one stands with a server that was left', async () => {
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

  test('that nobody passes on are not waited for: what was read has a short life', async () => {
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
