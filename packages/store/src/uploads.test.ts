import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openDatabase } from './open-database.ts';
import { openStore } from './open-store.ts';
import type { SqlStore } from './sql-store.ts';
import { createUploads } from './uploads.ts';

const now = Date.parse('2026-11-22T10:00:00Z');

describeDatabases('uploads', (database) => {
  let store: SqlStore;
  let other: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    other = await openStore(database.url);
  });
  afterAll(async () => {
    await store?.close();
    await other?.close();
  });

  test('an upload that another one of the same session interrupts is missing, never truncated', async () => {
    const own = await openDatabase(database.url);
    onTestFinished(() => own.close());
    const second = { name: 'second', content: 'b'.repeat(2_500_000) };
    let steps = 0;
    const interrupted: typeof own.transact = async (work) => {
      // The first two transactions remove the previous upload and write the first part of this one.
      if (steps === 2) await other.saveUpload('uploader', second, now);
      steps += 1;
      return own.transact(work);
    };
    const first = { name: 'first', content: 'a'.repeat(2_500_000) };
    await createUploads({ ...own, transact: interrupted }, store).saveUpload('uploader', first, now);
    expect(steps).toBe(4);
    expect(await store.readUpload('uploader', 'first', now)).toBeUndefined();
    expect(await store.readUpload('uploader', 'second', now)).toBe(second.content);
  });
});
