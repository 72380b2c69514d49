import { find, RUNTIMES, runIn } from '../../packages/sdk/test/runtimes/runtime.ts';
import { EXPECTED, uglyServer } from '../../packages/sdk/test/runtimes/ugly-server.ts';
import type { BenchOptions, Finding } from '../budget.ts';

const CASES = ['stall', 'cut', 'html', 'redirect'];

/** In how many of four ugly cases in five runtimes the client gives the typed error that it should. */
export async function typedErrors({ say }: BenchOptions): Promise<Finding[]> {
  const id = 'sdk.typed-errors';
  const found = RUNTIMES.map((runtime) => ({ runtime, executable: find(runtime) }));
  const absent = found.filter(({ executable }) => !executable).map(({ runtime }) => runtime);
  if (absent.length > 0) return [{ id, notMeasured: `${absent.join(', ')} not installed: .ci/run shows how` }];
  const server = await uglyServer();
  const counts: [string, number][] = [];
  try {
    for (const { runtime, executable = '' } of found) {
      say(`${id} in ${runtime}`);
      const report = await runIn(runtime, executable, server.url);
      counts.push([runtime, CASES.filter((name) => report[name] === EXPECTED[name]).length]);
    }
  } finally {
    server.close();
  }
  const ours = counts.reduce((sum, [, count]) => sum + count, 0);
  return [{ id, ours, note: counts.map(([runtime, count]) => `${runtime} ${count} of ${CASES.length}`).join(', ') }];
}
