import { execFileSync } from 'node:child_process';
import type { BenchOptions, Finding } from '../budget.ts';
import { root, run } from '../child.ts';
import { type PeerName, startPeer } from './peers.ts';

/** Built here, without declarations: what users run, in a second. */
const BUILT = 'packages/mock-server/node_modules/.cache/bench';

const program = `
import { createMock } from '${root}${BUILT}/index.js';
const mock = createMock({ baseUrl: 'https://blog.example' });
const { baseUrl, apiKey } = mock.connection;
const answer = await mock.fetch(baseUrl + '/public/posts', { headers: { 'x-api-key': apiKey } });
if (answer.status !== 200 || (await answer.json()).data.length === 0) throw new Error('answered ' + answer.status);
`;

/** Wall time of a process that makes a mock and asks it once, in turns with one that does nothing. */
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
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < (quick ? 7 : 15); round += 1) {
    const mock = await run(['--input-type=module', '--eval', program]);
    const empty = await run(['--input-type=module', '--eval', '']);
    if (round < 0) continue;
    ours.push(mock.ms);
    bare.push(empty.ms);
  }
  const peers = [];
  for (const name of ['json-server', 'prism'] as const)
    peers.push(await startOf(name, Math.min(...bare), quick ? 1 : 3));
  return [
    {
      id: 'mock.start',
      ours: Math.min(...ours),
      reference: Math.min(...bare),
      note: `reference: bare Node; the built package; the best of ${ours.length}, since a busy machine only adds; ${peers.join(', ')}`,
    },
  ];
}

async function startOf(name: PeerName, bare: number, rounds: number): Promise<string> {
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await startPeer(name);
      await server.stop();
      times.push(server.ms);
    }
    return `${name} says its address after +${Math.round(Math.min(...times) - bare)} ms`;
  } catch (error) {
    return `${name} did not start: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`;
  }
}
