import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { sendFrom, startNginx } from './nginx.ts';

/** Fewer than the connections that nginx keeps open, so that some are always idle. */
const CLIENTS = 48;
/** Reads between two restarts. */
const BETWEEN = 50;
const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
const slots = JSON.stringify({ slots: [{ slotId: 'top', format: 'BANNER' }] });

/** The outcome of the requests. */
export interface RestartResult {
  readonly restarts: number;
  readonly succeeded: { readonly reads: number; readonly impressions: number; readonly clicks: number };
  readonly failed: readonly string[];
  /** Exit codes of the processes that were stopped. */
  readonly codes: readonly (number | null)[];
}

/** Restarts three processes behind nginx one by one, while clients read, deliver and click. */
export async function rollingRestart(cwd: string, database: string, rounds: number): Promise<RestartResult> {
  await writeFile(join(cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const start = (port: number) =>
    serve(['--port', String(port), '--import', 'blog.json', '--database', database], {
      cwd,
      env: { TRUST_PROXY: '1' },
    });
  const processes: ServerProcess[] = await Promise.all(ports.map(start));
  const codes: (number | null)[] = [];
  const proxy = await startNginx(join(cwd, 'nginx'), ports);
  const load = startLoad(proxy.url);
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, port] of ports.entries()) {
        await load.moreReads(BETWEEN);
        codes.push((await processes[index]?.stop('SIGTERM')) ?? null);
        processes[index] = await start(port);
      }
    }
    await load.moreReads(BETWEEN);
  } finally {
    await load.stop();
    await proxy.stop();
    await Promise.all(processes.map((one) => one.stop('SIGKILL')));
  }
  return { restarts: codes.length, succeeded: load.succeeded, failed: load.failed, codes };
}

/** Reads, delivers and clicks until it is stopped, and counts the responses. */
function startLoad(url: string) {
  const succeeded = { reads: 0, impressions: 0, clicks: 0 };
  const failed: string[] = [];
  let stopped = false;
  let wanted: { readonly reads: number; readonly reached: () => void } | undefined;
  const client = async (_: unknown, index: number) => {
    // Several IP addresses per client, because nginx limits the requests of each one.
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
      if (await send('/public/posts')) succeeded.reads += 1;
      if (wanted && succeeded.reads >= wanted.reads) wanted.reached();
      const ad = (await send('/public/ads/formats/BANNER')) as { clickToken: string } | undefined;
      if (!ad) continue;
      succeeded.impressions += 1;
      if (await send('/public/ads/formats', { method: 'POST', body: slots })) succeeded.impressions += 1;
      const body = JSON.stringify({ clickToken: ad.clickToken });
      if (await send('/public/ads/tracking/click', { method: 'POST', body })) succeeded.clicks += 1;
    }
    for (const { agent } of lanes) agent.destroy();
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    succeeded,
    failed,
    moreReads: (count: number) =>
      new Promise<void>((reached) => {
        wanted = { reads: succeeded.reads + count, reached };
      }),
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}
