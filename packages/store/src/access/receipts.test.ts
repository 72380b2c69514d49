import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openDatabase } from '../open-database.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../sql-store.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const HOUR = 60 * 60 * 1000;

describeDatabases('receipts', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  test('a result is kept for an hour, and its request is remembered for longer', async () => {
    expect(await store.findReceipt('one', NOW)).toBeUndefined();
    const result = { apiKey: 'bs_é', titles: ['a'.repeat(1_100_000)], none: null };
    await store.keepResult('one', result, NOW);
    await store.keepResult('one', 'another', NOW);
    expect(await store.findReceipt('one', NOW + HOUR - 1)).toEqual({ isKept: true, result });
    expect(await store.findReceipt('one', NOW + HOUR)).toEqual({ isKept: false });
    expect(await store.claimRequest('one', NOW + 2 * HOUR)).toBe(false);
    await store.keepResult('none', undefined, NOW);
    expect(await store.findReceipt('none', NOW)).toEqual({ isKept: true, result: undefined });
  });

  test('of two transactions with the same request, one carries it out, and the other one finds its result', async () => {
    const work = (result: string) =>
      store.transact(async (within) => {
        if (!(await within.claimRequest('both', NOW))) return within.findReceipt('both', NOW);
        await within.keepResult('both', result, NOW);
        return result;
      });
    const [first, second] = await Promise.all([work('a'), work('b')]);
    const [won, other] = typeof first === 'string' ? [first, second] : [second, first];
    expect(other).toEqual({ isKept: true, result: won });
  });

  test('a request that is rolled back leaves nothing', async () => {
    const failing = store.transact(async (within) => {
      await within.claimRequest('failed', NOW);
      throw new Error('full');
    });
    await expect(failing).rejects.toThrow('full');
    expect(await store.findReceipt('failed', NOW)).toBeUndefined();
  });

  test('the database contains neither the result nor the number of its request', async () => {
    await store.keepResult('number-of-a-request', { apiKey: 'bs_secret' }, NOW);
    const own = await openDatabase(database.url);
    const rows = JSON.stringify(await own.reader`select * from uploads`);
    await own.close();
    expect(rows).not.toMatch(/bs_secret|number-of-a-request/);
    for (const text of ['bs_secret', '"apiKey"']) expect(atobAll(rows)).not.toContain(text);
  });
});

/** Every text of a JSON that is base64, decoded. */
const atobAll = (json: string): string =>
  [...json.matchAll(/"([A-Za-z\d+/]{8,}={0,2})"/g)].map(([, text = '']) => Buffer.from(text, 'base64')).join('\n');
