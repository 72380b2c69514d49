import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '../../src/node.ts';
import { clientIn } from './blocks.ts';

// Runs the two small clients of the guide against a mock that listens.

const CLIENTS = { sh: ['sh', '-euc', 'curl'], python: ['python3', '-c', 'python3'] } as const;

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`\n*** SKIPPED: ${program} is not installed: its client of the guide is not run ***\n`);
    return false;
  }
}

async function runClient(language: 'sh' | 'python') {
  const [program, flag] = CLIENTS[language];
  const mock = createMock();
  await using server = await mock.listen();
  const code = (await clientIn(language)).replaceAll('http://127.0.0.1:4510', server.url);
  expect(code).toContain(server.url);
  const { stdout } = await promisify(execFile)(program, [flag, code]);
  const worlds = (await (await fetch(`${server.url}/__mock/worlds`)).json()) as object[];
  return { stdout, worlds };
}

test.skipIf(!has(CLIENTS.sh[2]))('curl creates a world, sets a fault and reads its hits', async () => {
  const { stdout, worlds } = await runClient('sh');
  expect(stdout).toBe('{"handle":"fault-1"} 503 1');
  expect(worlds).toMatchObject([{ name: 'main' }, { calls: 1, unfinished: [] }]);
});

test.skipIf(!has(CLIENTS.python[2]))(
  'Python sets a fault, lifts it, reads the journal and drops its world',
  async () => {
    const { worlds } = await runClient('python');
    expect(worlds).toMatchObject([{ name: 'main', calls: 0 }]);
  },
);
