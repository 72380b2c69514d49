import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { createPostgres } from '../../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { openStore } from '../open-store.ts';

const PROCESSES = 3;
const TIMES = 200;
const program = fileURLToPath(new URL('./replaying-process.fixture.ts', import.meta.url));

/** Starts processes on an empty database all at once, lets each replay the same click, and collects the outcomes. */
async function replay(url: string): Promise<string[]> {
  const children = Array.from({ length: PROCESSES }, () => {
    const child = spawn(
      process.execPath,
      ['--conditions=@broadsheet/source', '--disable-warning=ExperimentalWarning', program, url, 'b', String(TIMES)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), exit: once(child, 'exit') };
  });
  try {
    for (const { lines } of children) expect((await lines.next()).value).toBe('ready');
    for (const { child } of children) child.stdin.end();
    const outcomes = await Promise.all(
      children.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? '[]')),
    );
    for (const { exit } of children) expect(await exit).toEqual([0, null]);
    return outcomes.flat();
  } finally {
    for (const { child } of children) child.kill('SIGKILL');
  }
}

async function countsOnce(url: string): Promise<void> {
  const outcomes = await replay(url);
  expect(outcomes).toHaveLength(PROCESSES * TIMES);
  expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(PROCESSES * TIMES - 1);
  const store = await openStore(url);
  expect((await store.countsByDay('b')).map(({ clicks }) => clicks)).toEqual([1]);
  await store.close();
}

describe('one token replayed 600 times at once by three processes counts once', () => {
  const postgres = inject('postgres');
  test.skipIf(!postgres)('PostgreSQL', async () => countsOnce(await createPostgres()), 60_000);
  test('SQLite', () => countsOnce(`sqlite:${temporaryFolder().join('b.db')}`), 60_000);
});
