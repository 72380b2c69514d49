import { execFileSync } from 'node:child_process';
import type { BenchOptions, Finding } from '../budget.ts';
import { root, run } from '../child.ts';
import { median } from '../median.ts';
import { startPeer } from './peers.ts';

const program = `
import { createMock } from '${root}packages/mock-server/dist/index.js';
const mock = createMock({ baseUrl: 'https://blog.example' });
const { baseUrl, apiKey } = mock.connection;
const answer = await mock.fetch(baseUrl + '/public/posts', { headers: { 'x-api-key': apiKey } });
if (answer.status !== 200 || (await answer.json()).data.length === 0) throw new Error('answered ' + answer.status);
`;

/** Wall time of a process that makes a mock and asks it once, in turns with one that does nothing. */
export async function start({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock start: building');
  execFileSync('pnpm', ['--filter', '@broadsheet/mock-server', 'build'], { cwd: root, stdio: 'pipe' });
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < (quick ? 7 : 15); round += 1) {
    const mock = await run(['--input-type=module', '--eval', program]);
    const empty = await run(['--input-type=module', '--eval', '']);
    if (round < 0) continue;
    ours.push(mock.ms);
    bare.push(empty.ms);
  }
  const peer = await jsonServer(median(bare));
  return [
    {
      id: 'mock.start',
      ours: median(ours),
      reference: median(bare),
      note: `reference: bare Node; the built package; ${peer}`,
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
    return `json-server listens after +${Math.round(median(times) - bare)} ms`;
  } catch (error) {
    return `json-server did not start: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`;
  }
}
