import { execFileSync } from 'node:child_process';
import type { BenchOptions, Finding } from '../budget.ts';
import { root, run } from '../child.ts';
import { startPeer } from './peers.ts';

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
  const peer = await jsonServer(Math.min(...bare));
  return [
    {
      id: 'mock.start',
      ours: Math.min(...ours),
      reference: Math.min(...bare),
      note: `reference: bare Node; the built package; the best of ${ours.length}, since a busy machine only adds; ${peer}`,
    },
  ];
}

async function jsonServer(bare: number): Promise<string> {
  const times: number[] = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      const server = await startPeer('json-server');
      await server.stop();
      times.push(server.ms);
    }
    return `json-server listens after +${Math.round(Math.min(...times) - bare)} ms`;
  } catch (error) {
    return `json-server did not start: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`;
  }
}
