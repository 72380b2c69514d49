import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchOptions, Finding } from '../budget.ts';
import { root, startServer } from '../child.ts';
import { median } from '../median.ts';
import { databaseOf } from './database.ts';

/** The output folder. It is as deep as the published `dist`, because the program reads the manifest above it. */
const BUILT = '.cache';

/** The time from the start of the process until it prints "ready", with an existing database. */
export async function startUp({ quick, say }: BenchOptions): Promise<Finding[]> {
  const database = await databaseOf({ posts: 10_000, content: 200 }, say);
  say('start-up: building the program');
  await promisify(execFile)('pnpm', ['exec', 'tsup', '--no-dts', '--out-dir', BUILT], {
    cwd: `${root}packages/server`,
  });
  say('start-up');
  const built = await startsOf(`packages/server/${BUILT}/main.js`, database, quick ? 5 : 11);
  const source = await startsOf('packages/server/src/main.ts', database, quick ? 3 : 5);
  const note = `10,000 posts, code cache warm; from source ${Math.round(source)} ms`;
  return [{ id: 'server.start', ours: built, note }];
}

async function startsOf(program: string, database: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const args = [program, 'serve', '--port', '0', '--database', database];
    const server = await startServer(args, { LOG_LEVEL: 'silent' });
    const ready = await fetch(`${server.url}/readyz`);
    await server.stop();
    if (!ready.ok) throw new Error(`/readyz returned ${ready.status} after the server said it was ready`);
    if (round > 0) times.push(server.ms);
  }
  return median(times);
}
