import { execFileSync } from 'node:child_process';
import type { BenchOptions, Finding } from '../budget.ts';
import { root, run } from '../child.ts';
import { median } from '../median.ts';
import { type PeerName, startPeer } from './peers.ts';

/** The folder of a build without declarations, which takes a second. */
const BUILT = 'packages/mock-server/node_modules/.cache/bench';

const program = `
import { createMock } from '${root}${BUILT}/index.js';
const mock = createMock({ baseUrl: 'https://blog.example' });
const { baseUrl, apiKey } = mock.connection;
const response = await mock.fetch(baseUrl + '/public/posts', { headers: { 'x-api-key': apiKey } });
if (response.status !== 200 || (await response.json()).data.length === 0) throw new Error('status ' + response.status);
`;

/** Prints the CPU time of the process at its end. */
const END = '\nconsole.log(JSON.stringify(process.cpuUsage()));';

/**
 * CPU time of a process that creates a mock and sends it one request, alternating with an empty process. Starting does
 * not wait for anything, so on an idle machine the wall-clock time is close to the CPU time, which other load does not
 * change.
 */
export async function start({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock start: building');
  const build = [
    '--filter',
    '@broadsheet/mock-server',
    'exec',
    'tsup',
    '--no-dts',
    '--out-dir',
    'node_modules/.cache/bench',
  ];
  execFileSync('pnpm', build, { cwd: root, stdio: 'pipe' });
  const ours: Sample[] = [];
  const bare: Sample[] = [];
  for (let round = -1; round < (quick ? 7 : 15); round += 1) {
    const mock = await sample(program);
    const empty = await sample('');
    if (round < 0) continue;
    ours.push(mock);
    bare.push(empty);
  }
  const wall = (samples: readonly Sample[]) => Math.min(...samples.map(({ ms }) => ms));
  const peers = [];
  for (const name of ['json-server', 'prism'] as const) peers.push(await startOf(name, wall(bare), quick ? 1 : 3));
  return [
    {
      id: 'mock.start',
      ours: median(ours.map(({ cpu }) => cpu)),
      reference: median(bare.map(({ cpu }) => cpu)),
      note: `CPU; reference: bare Node; the built package; wall clock +${Math.round(wall(ours) - wall(bare))} ms at best; ${peers.join(', ')}`,
    },
  ];
}

interface Sample {
  /** Milliseconds of wall-clock time; `cpu` is in milliseconds of CPU time. */
  readonly ms: number;
  readonly cpu: number;
}

async function sample(text: string): Promise<Sample> {
  const { out, ms } = await run(['--input-type=module', '--eval', text + END]);
  const { user, system } = JSON.parse(out) as NodeJS.CpuUsage;
  return { ms, cpu: (user + system) / 1000 };
}

async function startOf(name: PeerName, bare: number, rounds: number): Promise<string> {
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await startPeer(name);
      await server.stop();
      times.push(server.ms);
    }
    return `${name} prints its URL after +${Math.round(Math.min(...times) - bare)} ms`;
  } catch (error) {
    return `${name} did not start: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`;
  }
}
