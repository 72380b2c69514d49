import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { startPostgres } from '../../../tools/testing/own-postgres.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { adCounts } from './events.ts';

const CRASHES = 2;
const WAIT = { timeout: 60_000, interval: 50 };
const headers = { 'X-API-Key': 'test-key' };

/** Delivers ads until it is stopped, and counts the answers by status. */
function keepDelivering(url: string) {
  const statuses = new Map<number, number>();
  let stopped = false;
  const loops = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const answer = await fetch(`${url}/public/ads/formats/BANNER`, { headers });
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
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

async function start(database: string): Promise<{ server: ServerProcess; cwd: string }> {
  const cwd = await temporaryFolder().write({ 'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }) });
  // PostgreSQL may still be starting.
  const server = await vi.waitFor(() => serve(['--import', 'blog.json', '--database', database], { cwd }), WAIT);
  return { server, cwd };
}

it.skipIf(!inject('postgres'))(
  `a server whose PostgreSQL crashes ${CRASHES} times answers 503, recovers automatically and loses nothing`,
  { timeout: 180_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const { server, cwd } = await start(postgres.url);
    onTestFinished(async () => void (await server.stop()));
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
    // The only failure is 503, which clients can retry.
    expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
    // Logging a stack for each refused request would fill the disk.
    const lines = server.said().trim().split('\n');
    expect(lines.some((line) => line.includes('cannot be used for now'))).toBe(true);
    expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
    expect(lines.length).toBeLessThan((load.statuses.get(503) ?? 0) / 2);
    const { impressions } = await adCounts('news', postgres.url, { cwd });
    expect(impressions).toBeGreaterThanOrEqual(delivered());
    const sent = [...load.statuses.values()].reduce((sum, count) => sum + count, 0);
    expect(impressions).toBeLessThanOrEqual(sent);
  },
);
