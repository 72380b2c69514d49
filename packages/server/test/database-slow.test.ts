import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { type OwnPostgres, startPostgres } from '../../../tools/testing/own-postgres.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';

const headers = { 'X-API-Key': 'test-key' };

/** A slow PostgreSQL must not keep clients waiting. */
describe.skipIf(!inject('postgres'))('a PostgreSQL server that does not answer in time', () => {
  let postgres: OwnPostgres;
  let server: ServerProcess;
  const folder = temporaryFolder();
  beforeAll(async () => {
    postgres = await startPostgres();
    const cwd = await folder.write({ 'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }) });
    const connect = async () => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.end();
    };
    await vi.waitFor(connect, { timeout: 30_000 });
    server = await serve(['--import', 'blog.json', '--database', postgres.url], {
      cwd,
      env: { DATABASE_TIMEOUT: '1', DATABASE_POOL: '3' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await postgres.remove();
  });
  const deliver = () => fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
  const measures = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return new Map(
      [...text.matchAll(/^broadsheet_store_(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
  };
  async function expectUnavailable(answer: Response): Promise<void> {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
  }

  it('a locked table gives 503, and nothing is counted', async () => {
    const other = new pg.Client(postgres.url);
    await other.connect();
    const counted = async () =>
      (await other.query('select coalesce(sum(impressions), 0)::int as all from ad_counts')).rows;
    expect((await deliver()).status).toBe(200);
    expect(await counted()).toEqual([{ all: 1 }]);
    await other.query('begin; lock table ad_counts in access exclusive mode');
    await expectUnavailable(await deliver());
    await other.query('rollback');
    expect(await counted()).toEqual([{ all: 1 }]);
    expect((await deliver()).status).toBe(200);
    expect(await counted()).toEqual([{ all: 2 }]);
    await other.end();
  });

  it('a dead connection gives 503, and the server recovers automatically', async () => {
    await Promise.all(Array.from({ length: 8 }, deliver));
    const before = await measures();
    expect(before.get('pool_limit')).toBe(3);
    expect(before.get('pool_connections')).toBeGreaterThan(0);
    expect(before.get('committed_events_total')).toBeGreaterThanOrEqual(10);
    await postgres.freeze();
    try {
      // More requests than connections, so that some have to wait.
      for (const answer of await Promise.all(Array.from({ length: 8 }, deliver))) await expectUnavailable(answer);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    } finally {
      await postgres.thaw();
    }
    await expect.poll(async () => (await deliver()).status).toBe(200);
  });
});
