import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, findingsOf, reportOf } from './testing/findings.ts';
import { randomTests } from './testing/random-tests.ts';

// Runs the random tests with new seeds, without retries, for a limited time. Its last lines are what it found, with
// the commands that repeat it. It ends with 0, because a new seed may find what a change did not cause.

const USAGE = `Usage: pnpm new-seeds [--minutes 2] [--long] [--fail]

  --minutes  how long it runs tests with new seeds
  --long     also runs the long tests, such as the model of the stores and the proof under faults
  --fail     ends with 1 if a seed fails
`;
const ROOT = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    long: { type: 'boolean', default: false },
    fail: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const minutes = Number(values.minutes);
if (values.help) console.log(USAGE);
else if (!(minutes > 0)) {
  console.error(`--minutes: expected a number above 0, received "${values.minutes}"\n\n${USAGE}`);
  process.exitCode = 2;
} else await drawSeeds(performance.now() + minutes * 60_000);

async function drawSeeds(end: number): Promise<void> {
  const files = randomTests().tests.filter((file) => values.long || !file.endsWith('.long.test.ts'));
  const seeds: number[] = [];
  const findings: Finding[] = [];
  while (performance.now() < end) {
    const seed = Math.floor(Math.random() * 1_000_000_000);
    console.log(`Seed ${seed}`);
    const found = await run(seed, files, AbortSignal.timeout(Math.max(Math.ceil(end - performance.now()), 1)));
    if (found === undefined) break;
    seeds.push(seed);
    findings.push(...found);
  }
  console.log(reportOf(seeds, findings));
  if (values.fail && (findings.length > 0 || seeds.length === 0)) process.exitCode = 1;
}

/** The failures with a seed; `undefined` if the time ended first. */
async function run(seed: number, files: readonly string[], signal: AbortSignal): Promise<Finding[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-seeds-'));
  const output = join(folder, 'results.json');
  try {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const projects = ['--project', 'node', ...(values.long ? ['--project', 'long'] : [])];
    const flags = ['run', ...projects, '--retry', '0', '--reporter', 'json', '--outputFile', output];
    const child = spawn(process.execPath, [vitest, ...flags, ...files], {
      cwd: ROOT,
      env: { ...process.env, TEST_SEED: String(seed) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const stop = () => child.kill();
    signal.addEventListener('abort', stop);
    const [code] = await once(child, 'close');
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return undefined;
    const results = await readFile(output, 'utf8').catch(() => undefined);
    return findingsOf(seed, { results, code, pathOf: (file) => relative(ROOT, file) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
