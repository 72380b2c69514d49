import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serve } from './broadsheet.ts';
import { adCounts } from './events.ts';

const PROCESSES = 3;
const REPLAYS = 600;

describeDatabases(`${REPLAYS} replays of one token at ${PROCESSES} processes`, (database) => {
  it('replays of one token count one click', async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const url = await database.another();
    // Started in parallel, so that they also race for the schema and the secret.
    const servers = await Promise.all(
      Array.from({ length: PROCESSES }, () => serve(['--import', 'blog.json', '--database', url], database)),
    );
    try {
      const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
      const delivery = await fetch(`${servers[0]?.url}/public/ads/formats/BANNER`, { headers });
      const { clickToken } = (await delivery.json()) as { clickToken: string };
      const body = JSON.stringify({ clickToken });
      const statuses = await Promise.all(
        Array.from({ length: REPLAYS }, async (_, turn) => {
          const server = servers[turn % PROCESSES]?.url;
          const response = await fetch(`${server}/public/ads/tracking/click`, { method: 'POST', headers, body });
          await response.arrayBuffer();
          return response.status;
        }),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(REPLAYS - 1);
      expect(await adCounts('news', url, database)).toEqual({ impressions: 1, clicks: 1 });
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});
