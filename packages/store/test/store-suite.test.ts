import { copyFileSync } from 'node:fs';
import { storeCases } from '@broadsheet/conformance/store';
import { openStore } from '@broadsheet/store/node';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import type { SqlStore } from '../src/sql-store.ts';

async function open(url: string): Promise<{ store: SqlStore }> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return { store };
}

describe('SQLite', () => {
  const folder = temporaryFolder();
  const empty = folder.join('empty.db');
  beforeAll(async () => (await openStore(`sqlite:${empty}`)).close());

  for (const { name, run } of storeCases) {
    test(name, () =>
      run(() => {
        const file = temporaryFolder().join('test.db');
        copyFileSync(empty, file);
        return open(`sqlite:${file}`);
      }),
    );
  }
});

describe.skipIf(!inject('postgres'))('PostgreSQL', () => {
  let url: string;
  let connection: pg.Client;
  let empty: string;
  beforeAll(async () => {
    url = await createPostgres();
    await (await openStore(url)).close();
    connection = new pg.Client(url);
    await connection.connect();
    const { rows } = await connection.query(
      "select format('delete from %I', tablename) as text from pg_tables where schemaname = 'public' and tablename <> 'schema_version'",
    );
    // A replica deletes in any order and without triggers.
    empty = ['set session_replication_role = replica', ...rows.map(({ text }) => text)].join('; ');
  });
  afterAll(() => connection.end());

  for (const { name, run } of storeCases) {
    test(name, () =>
      run(async () => {
        await connection.query(empty);
        return open(url);
      }),
    );
  }
});
