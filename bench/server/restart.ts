import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginx } from '../../packages/server/test/nginx.ts';
import { rollingRestart } from '../../packages/server/test/rolling-restart.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Requests that fail during a rolling restart of three processes behind the nginx files of deploy/, under load. */
export async function restart({ quick, say }: BenchOptions): Promise<Finding[]> {
  if (!nginx) return [{ id: 'server.restart', notMeasured: 'nginx is not installed' }];
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-bench-restart-'));
  try {
    say('restarts behind nginx');
    const database = `sqlite:${join(folder, 'bench.db')}`;
    const { restarts, succeeded, failed } = await rollingRestart(folder, database, quick ? 1 : 4);
    const sent = succeeded.reads + succeeded.impressions + succeeded.clicks + failed.length;
    const note = `${restarts} restarts, ${sent.toLocaleString('en')} requests from 48 clients: reads, deliveries, batches, clicks`;
    return [{ id: 'server.restart', ours: failed.length, note }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
