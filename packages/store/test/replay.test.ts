import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openStore } from './open-store.ts';

const PROCESSES = 3;
const TIMES = 200;
const program = fileURLToPath(new URL('./replaying-process.ts', import.meta.url));

/** Starts all processes at once, lets each repeat the same event, and collects the outcomes. */
async function replay(url: string, event: 'click' | 'delivery'): Promise<string[]> {
  const children = Array.from({ length: PROCESSES }, () => {
    const child = spawn(process.execPath, [
      '--conditions=@broadsheet/source',
      '--disable-warning=ExperimentalWarning',
      program,
      url,
      'b',
      String(TIMES),
      event,
    ]);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const [closed, stderr] = [once(child, 'close'), text(child.stderr)];
    return {
      child,
      closed,
      /** The next line of its output; if the process has ended, throws with its stderr as the message. */
      async line() {
        const { value } = await lines.next();
        if (value === undefined) throw new Error(`A process ended early: ${await stderr}`);
        return value;
      },
    };
  });
  try {
    for (const { line } of children) expect(await line()).toBe('ready');
    for (const { child } of children) child.stdin.end();
    const outcomes = await Promise.all(children.map(async ({ line }) => JSON.parse(await line())));
    for (const { closed } of children) expect(await closed).toEqual([0, null]);
    return outcomes.flat();
  } finally {
    for (const { child } of children) child.kill('SIGKILL');
  }
}

describeDatabases('one token replayed 600 times at once by three processes', (database) => {
  test('counts one click', { timeout: 60_000 }, async () => {
    const store = await openStore(database.url);
    await store.putBlog({ id: 'b', name: 'B' }, 0);
    const outcomes = await replay(database.url, 'click');
    expect(outcomes).toHaveLength(PROCESSES * TIMES);
    expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(PROCESSES * TIMES - 1);
    expect((await store.countsByDay('b')).map(({ clicks }) => clicks)).toEqual([1]);
    await store.close();
  });
});

describeDatabases('a campaign that three processes deliver 600 times at once', (database) => {
  test('reaches its goal exactly, and stays there after a restart', { timeout: 60_000 }, async () => {
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring', goal: { impressions: 100 } }];
    const ads = [{ id: '00000000-0000-4000-8000-000000000001', format: 'BANNER' as const, campaignId: 'c' }];
    const before = await openStore(database.url);
    await before.putBlog({ id: 'b', name: 'B', campaigns, ads }, 0);
    await before.close();
    const outcomes = [...(await replay(database.url, 'delivery')), ...(await replay(database.url, 'delivery'))];
    expect(outcomes).toHaveLength(2 * PROCESSES * TIMES);
    expect(outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(100);
    const store = await openStore(database.url);
    expect((await store.countsByCampaign('b')).map(({ impressions }) => impressions)).toEqual([100]);
    expect((await store.countsByDay('b')).map(({ impressions }) => impressions)).toEqual([100]);
    await store.close();
  });
});
