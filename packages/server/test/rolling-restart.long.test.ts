import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { earned } from './events.ts';
import { nginx, sendFrom, startNginx } from './nginx.ts';

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
  const client = async (_: unknown, index: number) => {
    // Several addresses each: nginx limits what one may send.
    const lanes = Array.from({ length: 4 }, (_, lane) => ({
      address: `127.1.${index}.${lane + 1}`,
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    }));
    let turn = 0;
    const send = async (path: string, options: { method?: string; body?: string } = {}): Promise<unknown> => {
      const { address, agent } = lanes[turn++ % lanes.length] ?? { address: '127.0.0.1' };
      try {
        const { status, body } = await sendFrom(address, url + path, { headers, agent, ...options });
        if (status === 200) return JSON.parse(body);
        failed.push(`${path}: ${status} ${body.slice(0, 120)}`);
      } catch (error) {
        failed.push(`${path}: ${error}`);
      }
      return undefined;
    };
    while (!stopped) {
      if (await send('/public/posts')) answered.reads += 1;
      const ad = (await send('/public/ads/formats/BANNER')) as { clickToken: string } | undefined;
      if (!ad) continue;
      answered.impressions += 1;
      if (await send('/public/ads/formats', { method: 'POST', body: slots })) answered.impressions += 1;
      const body = JSON.stringify({ clickToken: ad.clickToken });
      if (await send('/public/ads/tracking/click', { method: 'POST', body })) answered.clicks += 1;
    }
    for (const { agent } of lanes) agent.destroy();
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
      expect(impressions).toBe(load.answered.impressions);
      // One for each address: the others are repeats.
      expect(clicks).toBeLessThanOrEqual(CLIENTS * 4);
      expect(clicks).toBeGreaterThan(0);
    });
  });
});
