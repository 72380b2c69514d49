import { storeCases } from '@broadsheet/conformance';
import { describe, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import type { SqlStore } from '../src/sql-store.ts';
import { openStore } from './open-store.ts';

async function open(url: string): Promise<{ store: SqlStore }> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return { store };
}

describe('SQLite file', () => {
  for (const { name, run } of storeCases) {
    test(name, () => run(() => open(`sqlite:${temporaryFolder().join('test.db')}`)));
  }
});

describe('SQLite in memory', () => {
  for (const { name, run } of storeCases) test(name, () => run(() => open('sqlite::memory:')));
});

describe.skipIf(!inject('postgres'))('PostgreSQL', () => {
  // Creating a database and its tables takes longer than a case, so databases are emptied and reused.
  const free: string[] = [];
  const tables =
    "select string_agg(format('%I', tablename), ', ') as all from pg_tables where schemaname = 'public' and tablename <> 'schema_version'";
  for (const { name, run } of storeCases) {
    test(name, () =>
      run(async () => {
        const url = free.pop() ?? (await createPostgres());
        onTestFinished(async () => {
          const [names] = (await queryPostgres(url, tables)) as { all: string }[];
          await queryPostgres(url, `truncate ${names?.all}`);
          free.push(url);
        });
        return open(url);
      }),
    );
  }
});
