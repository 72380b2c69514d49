import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openDatabase } from '../src/open-database.ts';
import { names } from '../src/sql.ts';
import { TABLES } from '../src/tables.ts';

describeDatabases('a check of the database', (database) => {
  test('writes a row of every table, and leaves none', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.check();
    await store.check();
    const { reader: db, close } = await openDatabase(database.url);
    onTestFinished(close);
    for (const table of Object.keys(TABLES)) expect(await db`select * from ${names(table)}`, table).toEqual([]);
  });

  test.each([
    'alter table counts rename to former_counts',
    'alter table campaigns drop column is_ended',
    'drop table panel_sessions',
  ])('fails after %s', async (statement) => {
    const url = await database.another();
    const store = await openStore(url);
    onTestFinished(() => store.close());
    const open = await openDatabase(url);
    onTestFinished(open.close);
    await store.check();
    await open.transact((db) => db([statement]));
    await expect(store.check()).rejects.toThrow();
  });
});
