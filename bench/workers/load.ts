import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorker, fetchAlone, runBundle } from '../../tools/testing/workerd.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { run } from '../child.ts';
import { median } from '../median.ts';
import { batch } from '../server/batch.ts';
import { load, READERS } from '../server/load-plan.ts';
import { serve } from '../server/serve.ts';
import { KEY, optionsOf, snapshot, startDeployment } from './deployment.ts';
import { ENTRY } from './size.ts';

const PLAN = { key: KEY, modulo: 1, from: 0, connections: 64 };
const CASES = [
  { id: 'workers.batch', method: 'POST', path: '/public/ads/formats', body: batch, readers: READERS },
  { id: 'workers.hot-list', method: 'GET', path: '/public/posts?limit=10' },
] as const;

/** Start of workerd, and requests per second of one object compared with `broadsheet serve` on the same disk. */
export async function oneObject({ quick, say }: BenchOptions): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-workers-'));
  try {
    await writeFile(join(folder, 'blog.json'), JSON.stringify({ blogs: [snapshot] }));
    const database = `sqlite:${join(folder, 'server.db')}`;
    await run(['packages/server/src/main.ts', 'import', join(folder, 'blog.json'), '--database', database]);
    say('start of a Worker');
    await (await startDeployment(ENTRY, folder)).stop();
    const starts: number[] = [];
    const bundle = await bundleWorker(ENTRY);
    for (let round = 0; round < (quick ? 3 : 7); round += 1) starts.push(await startTime(bundle, folder));
    const start = {
      id: 'workers.start',
      ours: median(starts),
      note: 'from the start of workerd to ten posts of an existing blog; the bundle is built before',
    };
    return [start, ...(await beside(folder, database, quick, say))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startTime(bundle: string, folder: string): Promise<number> {
  const started = performance.now();
  const deployment = await runBundle(bundle, optionsOf(folder));
  const response = await fetchAlone(new Request(`${deployment.url}/public/posts`, { headers: { 'x-api-key': KEY } }));
  const milliseconds = performance.now() - started;
  await deployment.stop();
  if (response.status !== 200) throw new Error(`the first response was ${response.status}`);
  return milliseconds;
}

async function beside(
  folder: string,
  database: string,
  quick: boolean,
  say: (text: string) => void,
): Promise<Finding[]> {
  const deployment = await startDeployment(ENTRY, folder);
  const server = await serve(database);
  try {
    const findings: Finding[] = [];
    for (const { id, ...request } of CASES) {
      say(id);
      const object: number[] = [];
      const node: number[] = [];
      for (let round = -1; round < (quick ? 3 : 7); round += 1) {
        const ms = quick ? 1000 : 3000;
        const a = await load({ ...PLAN, ...request, url: deployment.url, ms });
        const b = await load({ ...PLAN, ...request, url: server.url, ms });
        if (round < 0) continue;
        object.push(a.perSecond);
        node.push(b.perSecond);
      }
      const ratio = median(object.map((value, index) => value / (node[index] ?? Number.NaN)));
      const note = 'workerd on this machine, 64 connections; Cloudflare may perform differently';
      findings.push({ id, ours: median(object), reference: median(node), ratio, note });
    }
    return findings;
  } finally {
    await server.stop();
    await deployment.stop();
  }
}
