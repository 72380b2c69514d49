import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { type OwnPostgres, startPostgres } from '../../../tools/testing/own-postgres.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';

const CRASHES = 2;
const WAIT = { timeout: 60_000, interval: 20 };
const headers = { 'X-API-Key': 'test-key' };

/** Delivers ads until it is stopped, and counts the responses by status. */
function keepDelivering(url: string) {
  const statuses = new Map<number, number>();
  let stopped = false;
  const loops = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const response = await fetch(`${url}/public/ads/formats/BANNER`, { headers });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  });
  return {
    statuses,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

describe.skipIf(!inject('postgres'))('a PostgreSQL server', () => {
  let postgres: OwnPostgres;
  const folder = temporaryFolder();
  beforeAll(async () => {
    postgres = await startPostgres();
    await folder.write({ 'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }) });
    // PostgreSQL may still be starting.
    await vi.waitFor(() => queryPostgres(postgres.url, 'select 1'), WAIT);
  });
  afterAll(() => postgres.remove());
  const start = (env: Readonly<Record<string, string>> = {}) =>
    serve(['--import', 'blog.json', '--database', postgres.url], { cwd: folder.path, env });
  const impressions = async (): Promise<number> => {
    const statement = 'select coalesce(sum(delivered), 0)::int as total from counts';
    const [row] = (await queryPostgres(postgres.url, statement)) as { total: number }[];
    return row?.total ?? Number.NaN;
  };

  describe('that does not respond in time', () => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await start({ DATABASE_TIMEOUT: '1', DATABASE_POOL: '3' });
    });
    afterAll(async () => void (await server.stop()));
    const deliver = () => fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
    const measures = async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return new Map(
        [...text.matchAll(/^broadsheet_store_(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
      );
    };
    async function expectUnavailable(response: Response): Promise<void> {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    }

    it('a locked table gives 503, and nothing is counted', async () => {
      const before = await impressions();
      expect((await deliver()).status).toBe(200);
      expect(await impressions()).toBe(before + 1);
      const other = new pg.Client(postgres.url);
      await other.connect();
      await other.query('begin; lock table counts in access exclusive mode');
      await expectUnavailable(await deliver());
      await other.end();
      expect(await impressions()).toBe(before + 1);
      expect((await deliver()).status).toBe(200);
      expect(await impressions()).toBe(before + 2);
    });

    it('a dead connection gives 503, and the server recovers automatically', async () => {
      await Promise.all(Array.from({ length: 8 }, deliver));
      const before = await measures();
      expect(before.get('pool_limit')).toBe(3);
      expect(before.get('pool_connections')).toBeGreaterThan(0);
      expect(before.get('committed_events_total')).toBeGreaterThanOrEqual(8);
      await postgres.freeze();
      try {
        // More requests than connections, so that some must wait.
        for (const response of await Promise.all(Array.from({ length: 8 }, deliver))) await expectUnavailable(response);
        expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
      } finally {
        await postgres.thaw();
      }
      await expect.poll(async () => (await deliver()).status).toBe(200);
    });
  });

  it('a server whose database is dropped responds with 503', async () => {
    const name = `dropped_${Date.now()}`;
    const url = postgres.url.replace(/\/\w+$/, `/${name}`);
    await queryPostgres(postgres.url, `create database ${name}`);
    const args = ['--import', 'blog.json', '--database', url];
    const server = await serve(args, { cwd: folder.path });
    onTestFinished(async () => void (await server.stop()));
    expect((await fetch(`${server.url}/public/ads/formats/BANNER`, { headers })).status).toBe(200);
    await queryPostgres(postgres.url, `drop database ${name} with (force)`);
    for (const path of ['ads/formats/BANNER', 'ads/formats/BANNER', 'posts', 'ads/formats/BANNER']) {
      const response = await fetch(`${server.url}/public/${path}`, { headers });
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1']);
    }
  });

  it(`a server responds with 503 when PostgreSQL crashes, ${CRASHES} times; it recovers automatically and loses nothing`, async () => {
    const server = await start();
    onTestFinished(async () => void (await server.stop()));
    const counted = await impressions();
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    const load = keepDelivering(server.url);
    const delivered = () => load.statuses.get(200) ?? 0;
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const before = delivered();
      await expect.poll(delivered, WAIT).toBeGreaterThan(before + 20);
      await postgres.crash();
      await expect.poll(ready, WAIT).toBe(503);
      const refused = await fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await postgres.start();
      await expect.poll(ready, WAIT).toBe(200);
      const after = delivered();
      await expect.poll(delivered, WAIT).toBeGreaterThan(after);
    }
    await load.stop();
    // 503 is for what was not counted; 500 is only for commits whose outcome PostgreSQL did not tell in time.
    const failed = [...load.statuses.keys()].filter((status) => status !== 200);
    expect(failed).toContain(503);
    expect(failed.filter((status) => status !== 500)).toEqual([503]);
    // Logging a stack for each refused request would fill the disk.
    const lines = server.said().trim().split('\n');
    expect(lines.some((line) => line.includes('cannot be used for now'))).toBe(true);
    expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
    expect(lines.length).toBeLessThan((load.statuses.get(503) ?? 0) / 2);
    const more = (await impressions()) - counted;
    expect(more).toBeGreaterThanOrEqual(delivered());
    expect(more).toBeLessThanOrEqual(delivered() + (load.statuses.get(500) ?? 0));
  });
});
