import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Entry, History } from './history.ts';

const fault = { kind: 'fault', what: 'a test' } as const;

test('an event that begins while the clock of the servers moves may have happened before or after', async () => {
  const history = new History();
  const before = Date.now();
  await history.advance(60_000, async () => {
    const end = history.begin();
    await sleep(1);
    end(fault);
  });
  const after = Date.now();
  history.begin()(fault);
  const [during, later] = history.entries as [Entry, Entry];
  expect(during.from).toBeLessThanOrEqual(after);
  expect(during.to).toBeGreaterThanOrEqual(before + 60_000);
  expect(later.from).toBeGreaterThanOrEqual(before + 60_000);
});
