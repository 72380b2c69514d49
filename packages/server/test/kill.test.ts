import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serve } from './broadsheet.ts';
import { deliverUntilGone, earned } from './events.ts';

const KILLS = Number(process.env['KILLS'] ?? 3);

describeDatabases('SIGKILL under load', (database) => {
  it(`${KILLS} times loses nothing that was acknowledged`, { timeout: 120_000 }, async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const told = { impressions: 0, clicks: 0, sentImpressions: 0, sentClicks: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await serve(['--import', 'blog.json', '--database', database.url], {
        cwd: database.cwd,
        env: { TRUST_PROXY: '1' },
      });
      const loops = Array.from({ length: 16 }, (_, loop) => deliverUntilGone(server.url, 'test-key', kill * 16 + loop));
      await sleep(400 + 150 * kill);
      await server.stop('SIGKILL');
      for (const loop of await Promise.all(loops)) {
        for (const name of Object.keys(told) as (keyof typeof told)[]) told[name] += loop[name];
      }
    }
    const counted = await earned('news', database.url, database);
    expect(told.clicks).toBeGreaterThan(0);
    expect(counted.impressions).toBeGreaterThanOrEqual(told.impressions);
    expect(counted.clicks).toBeGreaterThanOrEqual(told.clicks);
    // Nor is anything made up: the most that can be counted unacknowledged is what was under way at each kill.
    expect(counted.impressions).toBeLessThanOrEqual(told.sentImpressions);
    expect(counted.clicks).toBeLessThanOrEqual(told.sentClicks);
  });
});

describeDatabases('SIGTERM under load', (database) => {
  it('answers everything that it counts, and ends with 0', { timeout: 120_000 }, async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const server = await serve(['--import', 'blog.json', '--database', database.url], {
      cwd: database.cwd,
      env: { TRUST_PROXY: '1' },
    });
    const loops = Array.from({ length: 16 }, (_, loop) => deliverUntilGone(server.url, 'test-key', loop));
    await sleep(500);
    expect(await server.stop('SIGTERM')).toBe(0);
    const told = await Promise.all(loops);
    const acknowledged = {
      impressions: told.reduce((sum, loop) => sum + loop.impressions, 0),
      clicks: told.reduce((sum, loop) => sum + loop.clicks, 0),
    };
    expect(acknowledged.clicks).toBeGreaterThan(0);
    expect(await earned('news', database.url, database)).toEqual(acknowledged);
  });
});
