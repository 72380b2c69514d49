import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../tools/testing/databases.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serve } from './broadsheet.ts';
import { adCounts, deliverUntilGone, noEvents } from './events.ts';

const KILLS = Number(process.env['KILLS'] ?? 5);

async function start({ cwd }: TestDatabase, url: string) {
  await writeFile(join(cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
  return serve(['--import', 'blog.json', '--database', url], {
    cwd,
    env: { TRUST_PROXY: '1' },
  });
}

describeDatabases('SIGKILL under load', (database) => {
  it(`killing the server ${KILLS} times loses no acknowledged event`, async () => {
    const events = noEvents();
    const url = await database.another();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await start(database, url);
      const loops = Array.from({ length: 16 }, (_, loop) => deliverUntilGone(server.url, kill * 16 + loop, events));
      const before = events.clicks;
      await expect.poll(() => events.clicks - before, { interval: 1 }).toBeGreaterThan(50 * (kill + 1));
      await server.stop('SIGKILL');
      await Promise.all(loops);
    }
    const counted = await adCounts('news', url, database);
    expect(counted.impressions).toBeGreaterThanOrEqual(events.impressions);
    expect(counted.clicks).toBeGreaterThanOrEqual(events.clicks);
    // No event is invented: only events in flight at a kill can be counted without an acknowledgement.
    expect(counted.impressions).toBeLessThanOrEqual(events.sentImpressions);
    expect(counted.clicks).toBeLessThanOrEqual(events.sentClicks);
  });
});

describeDatabases('SIGTERM under load', (database) => {
  it('a stopping server responds to everything that it counts, and exits with 0', async () => {
    const events = noEvents();
    const url = await database.another();
    const server = await start(database, url);
    const loops = Array.from({ length: 16 }, (_, loop) => deliverUntilGone(server.url, loop, events));
    await expect.poll(() => events.clicks, { interval: 1 }).toBeGreaterThan(100);
    expect(await server.stop('SIGTERM')).toBe(0);
    await Promise.all(loops);
    expect(await adCounts('news', url, database)).toEqual({
      impressions: events.impressions,
      clicks: events.clicks,
    });
  });
});
