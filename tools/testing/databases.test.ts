import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { describeDatabases } from './databases.ts';
import { queryPostgres } from './query-postgres.ts';

describeDatabases('a database', (database) => {
  test('is empty and can be written to', async () => {
    const run = async (statement: string): Promise<readonly unknown[]> => {
      if (database.kind === 'PostgreSQL') return queryPostgres(database.url, statement);
      const connection = new DatabaseSync(database.url.slice('sqlite:'.length));
      const rows = connection.prepare(statement).all();
      connection.close();
      return rows;
    };
    await run('create table t (n int)');
    await run('insert into t values (1)');
    expect(await run('select n from t')).toEqual([{ n: 1 }]);
  });

  test('is a different database from another one', async () => {
    const [first, second] = [await database.another(), await database.another()];
    expect(new Set([database.url, first, second]).size).toBe(3);
  });
});
