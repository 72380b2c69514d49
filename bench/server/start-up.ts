import type { BenchOptions, Finding } from '../budget.ts';
import { startServer } from '../child.ts';
import { median } from '../median.ts';
import { databaseOf } from './database.ts';

/** From the start of the process to its line "ready", over a database that is there. */
export async function startUp({ quick, say }: BenchOptions): Promise<Finding[]> {
  const database = await databaseOf({ posts: 10_000, content: 200 }, say);
  say('start-up');
  const times: number[] = [];
  for (let round = 0; round < (quick ? 5 : 11); round += 1) {
    const server = await startServer(['packages/server/src/main.ts', 'serve', '--port', '0', '--database', database], {
      LOG_LEVEL: 'silent',
    });
    const ready = await fetch(`${server.url}/readyz`);
    await server.stop();
    if (!ready.ok) throw new Error(`/readyz answered ${ready.status} after the server said it was ready`);
    if (round > 0) times.push(server.ms);
  }
  return [{ id: 'server.start', ours: median(times), note: '10,000 posts; run from source, code cache warm' }];
}
