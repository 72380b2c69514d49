import { type Click, type ClickOutcome, createMemoryStore } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import type { SqlStore } from '../src/sql-store.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const ads = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

const click = fc
  .record({
    token: fc.integer({ min: 0, max: 5 }),
    adId: fc.constantFrom(...ads),
    visitor: fc.constantFrom('one', 'two', undefined),
    minute: fc.integer({ min: 0, max: 90 }),
  })
  .map(({ token, adId, visitor, minute }): Click => {
    const at = START + minute * MINUTE;
    return {
      tokenId: `t${token}`,
      tokenExpiresAt: START + 1000 * MINUTE,
      adId,
      visitor,
      at,
      repeatSince: at - 30 * MINUTE,
    };
  });
/** Milliseconds after which a busy machine begins no further sequence, and the number that it must have tried. */
const BUDGET = 15_000;
const FEWEST = 10;

/** Groups of clicks: the clicks of a group run at the same time, one group after the other. */
const rounds = fc.array(fc.array(click, { minLength: 1, maxLength: 8 }), { maxLength: 6 });

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Sequential clicks: the store must agree with the memory store on each outcome. */
async function agrees(stores: readonly SqlStore[], runs: number): Promise<void> {
  let blogs = 0;
  onTestFinished(() => expect(blogs).toBeGreaterThanOrEqual(FEWEST));
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(fc.array(click, { maxLength: 30 }), async (clicks) => {
        const id = `serial${++blogs}`;
        const memory = createMemoryStore();
        memory.putBlog({ id, name: id }, START);
        await stores[0]?.putBlog({ id, name: id }, START);
        for (const [index, one] of clicks.entries()) {
          const store = stores[index % stores.length] ?? stores[0];
          expect(await store?.recordClick(id, one)).toBe(memory.recordClick(id, one));
        }
        expect(await stores[0]?.figures(id, { by: ['day', 'ad'] })).toEqual(memory.figures(id, { by: ['day', 'ad'] }));
      }),
      { seed, numRuns: runs, interruptAfterTimeLimit: BUDGET },
    );
}

/** Concurrent clicks through several stores: the outcomes must match some sequential order. */
async function isLinear(stores: readonly SqlStore[], runs: number): Promise<void> {
  let blogs = 0;
  onTestFinished(() => expect(blogs).toBeGreaterThanOrEqual(FEWEST));
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(fc.array(click, { minLength: 2, maxLength: 4 }), rounds, async (together, before) => {
        const id = `linear${++blogs}`;
        const memory = createMemoryStore();
        memory.putBlog({ id, name: id }, START);
        await stores[0]?.putBlog({ id, name: id }, START);
        for (const one of before.flat()) {
          memory.recordClick(id, one);
          await stores[0]?.recordClick(id, one);
        }
        const state = memory.snapshot();
        const outcomes = await Promise.all(
          together.map((one, index) => (stores[index % stores.length] as SqlStore).recordClick(id, one)),
        );
        const counts = await stores[0]?.figures(id, { by: ['day', 'ad'] });
        const possible = orders(together.map((one, index) => ({ one, index }))).map((order) => {
          memory.restore(state);
          const found: ClickOutcome[] = [];
          for (const { one, index } of order) found[index] = memory.recordClick(id, one);
          return { outcomes: found, counts: memory.figures(id, { by: ['day', 'ad'] }) };
        });
        expect(possible).toContainEqual({ outcomes, counts });
      }),
      { seed, numRuns: runs, interruptAfterTimeLimit: BUDGET },
    );
}

async function withStores(url: string, count: number, work: (stores: SqlStore[]) => Promise<void>): Promise<void> {
  const stores: SqlStore[] = [];
  try {
    for (let index = 0; index < count; index += 1) stores.push(await openStore(url));
    await work(stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

describeDatabases('clicks', (database) => {
  const many = database.kind === 'SQLite' ? 1 : 3;
  test('sequential clicks have the outcomes of the memory store', () =>
    withStores(database.url, Math.min(many, 2), (stores) => agrees(stores, 60)));
  test('concurrent clicks have the outcomes of some sequential order', () =>
    withStores(database.url, many, (stores) => isLinear(stores, 60)));
});
