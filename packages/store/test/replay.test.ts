import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openStore } from '@broadsheet/store/node';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';

const PROCESSES = 3;
const TIMES = 200;
const AD = '00000000-0000-4000-8000-000000000001';
const program = fileURLToPath(new URL('./replaying-process.ts', import.meta.url));

/** Starts a process that repeats events on demand. */
function startProcess(url: string) {
  const child = spawn(process.execPath, [
    '--conditions=@broadsheet/source',
    '--disable-warning=ExperimentalWarning',
    program,
    url,
    'b',
    String(TIMES),
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
}

/** Lets all processes repeat each event at the same time, and collects the outcomes of each event. */
async function replay(url: string, events: readonly ('click' | 'delivery')[]): Promise<string[][]> {
  const processes = Array.from({ length: PROCESSES }, () => startProcess(url));
  try {
    for (const { line } of processes) expect(await line()).toBe('ready');
    const outcomes: string[][] = [];
    for (const event of events) {
      for (const { child } of processes) child.stdin.write(`${event}\n`);
      outcomes.push((await Promise.all(processes.map(async ({ line }) => JSON.parse(await line())))).flat());
    }
    for (const { child } of processes) child.stdin.end();
    for (const { closed } of processes) expect(await closed).toEqual([0, null]);
    return outcomes;
  } finally {
    for (const { child } of processes) child.kill('SIGKILL');
  }
}

describeDatabases('three processes that repeat an event 600 times at once', (database) => {
  test('count one click of a token and reach the goal of a campaign exactly, even after a restart', {
    timeout: 60_000,
  }, async () => {
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring', goal: { impressions: 100 } }];
    const ads = [{ id: AD, format: 'BANNER' as const, campaignId: 'c' }];
    const before = await openStore(database.url);
    await before.putBlog({ id: 'b', name: 'B', campaigns, ads }, 0);
    await before.close();
    const outcomes = await replay(database.url, ['click', 'delivery', 'delivery']);
    for (const all of outcomes) expect(all).toHaveLength(PROCESSES * TIMES);
    const [clicks = [], ...deliveries] = outcomes;
    expect(clicks.filter((outcome) => outcome === 'counted')).toHaveLength(1);
    expect(clicks.filter((outcome) => outcome === 'used')).toHaveLength(PROCESSES * TIMES - 1);
    expect(deliveries.map((all) => all.filter((outcome) => outcome === 'delivered').length)).toEqual([100, 0]);

    const store = await openStore(database.url);
    const delivery = { slots: [{ candidates: [AD] }], campaigns: new Map([[AD, 'c']]) };
    expect((await store.deliver('b', delivery, Date.UTC(2026, 0, 1))).adIds).toEqual([undefined]);
    expect(await store.figures('b', { by: [] })).toMatchObject([{ clicks: 1, delivered: 100 }]);
    expect(await store.figures('b', { by: [], campaign: 'c' })).toMatchObject([{ delivered: 100 }]);
    await store.close();
  });
});
