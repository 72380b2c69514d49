import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serve } from './broadsheet.ts';
import { adCounts } from './events.ts';
import { nginx, startNginx } from './nginx.ts';

const DELIVERIES = 300;
const CLIENTS = 8;

describeDatabases('deliveries with idempotency keys, over lost responses and SIGKILL', (database) => {
  it.skipIf(!nginx)('each delivery is counted once by three processes behind nginx', async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const url = await database.another();
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const start = (port: number) =>
      serve(['--import', 'blog.json', '--port', String(port), '--database', url], database);
    const servers = await Promise.all(ports.map(start));
    const proxy = await startNginx(database.cwd, ports);
    onTestFinished(async () => {
      await proxy.stop();
      await Promise.all(servers.map((server) => server.stop()));
    });
    const [headers, entries] = [
      { 'X-API-Key': 'test-key' },
      [proxy.url, ...ports.map((port) => `http://127.0.0.1:${port}`)],
    ];
    let [delivered, lost, replayed] = [0, 0, 0];
    /** Sends one delivery until a response arrives; some responses are discarded. */
    const deliver = async (number: number) => {
      const path = `/public/ads/formats/BANNER?idempotencyKey=${randomUUID()}`;
      for (let attempt = 0; ; attempt += 1) {
        const entry = entries[(number + attempt) % entries.length];
        const response = await fetch(`${entry}${path}`, { headers }).catch(() => undefined);
        if (attempt === 0 && number % 3 === 0) await response?.body?.cancel();
        else if (response?.status === 200) {
          if (response.headers.get('idempotency-replayed')) replayed += 1;
          expect(await response.json()).toMatchObject({ filled: true });
          delivered += 1;
          return;
        } else await response?.body?.cancel();
        lost += 1;
      }
    };
    let next = 0;
    const client = async () => {
      while (next < DELIVERIES) await deliver(next++);
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (const [index, port] of ports.entries()) {
      await expect.poll(() => delivered, { interval: 1, timeout: 60_000 }).toBeGreaterThan((index + 1) * 60);
      await servers[index]?.stop('SIGKILL');
      servers[index] = await start(port);
    }
    await Promise.all(clients);
    expect(lost).toBeGreaterThan(DELIVERIES / 4);
    expect(replayed).toBeGreaterThan(DELIVERIES / 5);
    expect(await adCounts('news', url, database)).toEqual({ impressions: DELIVERIES, clicks: 0 });
  });
});
