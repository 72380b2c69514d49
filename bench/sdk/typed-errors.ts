import { find, RUNTIMES, runIn } from '../../packages/sdk/test/runtimes/runtime.ts';
import { expected, uglyServer } from '../../packages/sdk/test/runtimes/ugly-server.ts';
import type { BenchOptions, Finding } from '../budget.ts';

const CASES = ['stall', 'cut', 'html', 'redirect'].map((name) => `${name} by fetch`);
const right = expected();

/** For how many of four network failures in each of five runtimes the client throws the expected typed error. */
export async function typedErrors({ say }: BenchOptions): Promise<Finding[]> {
  const id = 'sdk.typed-errors';
  const found = RUNTIMES.map((runtime) => ({ runtime, executable: find(runtime) }));
  const absent = found.filter(({ executable }) => !executable).map(({ runtime }) => runtime);
  if (absent.length > 0) return [{ id, notMeasured: `${absent.join(', ')} not installed: .ci/install shows how` }];
  const server = await uglyServer();
  say(id);
  try {
    // In parallel, because most of the time is spent waiting for a server that stalls.
    const counts = await Promise.all(
      found.map(async ({ runtime, executable = '' }) => {
        const report = await runIn(runtime, executable, server.url);
        return { runtime, count: CASES.filter((name) => report[name] === right[name]).length };
      }),
    );
    const ours = counts.reduce((sum, { count }) => sum + count, 0);
    const note = counts.map(({ runtime, count }) => `${runtime} ${count} of ${CASES.length}`).join(', ');
    return [{ id, ours, note }];
  } finally {
    server.close();
  }
}
