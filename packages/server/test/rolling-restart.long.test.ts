import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { earned } from './events.ts';
import { nginx, startNginx } from './nginx.ts';

const ROUNDS = Number(process.env['RESTART_ROUNDS'] ?? 2);
/** As many as nginx keeps connections open for, so that some are idle at every moment. */
const CLIENTS = 48;
const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
const slots = JSON.stringify({ slots: [{ slotId: 'top', format: 'BANNER' }] });

/** Reads, delivers and clicks until it is stopped, and counts what was answered. */
function startLoad(url: string) {
  const answered = { reads: 0, impressions: 0, clicks: 0 };
  const failed: string[] = [];
  let stopped = false;
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    try {
      const answer = await fetch(url + path, { headers, ...init });
      const text = await answer.text();
      if (answer.status === 200) return JSON.parse(text);
      failed.push(`${path}: ${answer.status} ${text.slice(26, 120)}`);
    } catch (error) {
      failed.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
    return undefined;
  };
  const client = async () => {
    while (!stopped) {
      if (await send('/public/posts')) answered.reads += 1;
      const ad = (await send('/public/ads/formats/BANNER')) as { clickToken: string } | undefined;
      if (!ad) continue;
      answered.impressions += 1;
      if (await send('/public/ads/formats', { method: 'POST', body: slots })) answered.impressions += 1;
      const body = JSON.stringify({ clickToken: ad.clickToken });
      if (await send('/public/ads/tracking/click', { method: 'POST', body })) answered.clicks += 1;
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    answered,
    failed,
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

describe.skipIf(!nginx)('three processes behind nginx, each restarted in turn under load', () => {
  describeDatabases('', (database) => {
    it(`fail no request in ${ROUNDS} rounds, and count each once`, async () => {
      await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
      const ports = [await freePort(), await freePort(), await freePort()] as const;
      const start = (port: number) =>
        serve(['--port', String(port), '--import', 'blog.json', '--database', database.url], {
          cwd: database.cwd,
          env: { TRUST_PROXY: '1' },
        });
      const processes: ServerProcess[] = await Promise.all(ports.map(start));
      onTestFinished(async () => void (await Promise.all(processes.map((one) => one.stop('SIGKILL')))));
      const proxy = await startNginx(temporaryFolder().path, ports);
      onTestFinished(() => proxy.stop());

      const load = startLoad(proxy.url);
      const goOn = async () => {
        const before = load.answered.reads;
        await expect.poll(() => load.answered.reads, { timeout: 60_000 }).toBeGreaterThan(before + 50);
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, port] of ports.entries()) {
          await goOn();
          expect(await processes[index]?.stop('SIGTERM')).toBe(0);
          processes[index] = await start(port);
        }
      }
      await goOn();
      await load.stop();
      console.info(`restarts under load: ${ROUNDS * ports.length}, answered ${JSON.stringify(load.answered)}`);
      expect(load.failed.slice(0, 10)).toEqual([]);
      const { impressions, clicks } = await earned('news', database.url, database);
      // Every click is from one address, so only the first counts.
      expect({ impressions, clicks }).toEqual({ impressions: load.answered.impressions, clicks: 1 });
    });
  });
});
