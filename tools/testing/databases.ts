import { randomUUID } from 'node:crypto';
import { beforeAll, describe, inject } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './folder.ts';
import { postgresUrl, TEMPLATE } from './postgres.ts';
import { queryPostgres } from './query-postgres.ts';

/** A database without blogs for a group of tests. */
export interface TestDatabase {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Its URL, as passed to `--database`. SQLite uses a file in {@link cwd}. */
  readonly url: string;
  /** A temporary directory for files, and the working directory of commands. */
  readonly cwd: string;
  /** Creates another database, for a test that would fail on what its first attempt has written. */
  another(): Promise<string>;
}

/**
 * Runs a group of tests on each available kind of database: a SQLite file that does not exist yet, and a PostgreSQL
 * database with empty tables. The tests run in their order, because each finds what those before it have written.
 */
export function describeDatabases(name: string, tests: (database: TestDatabase) => void): void {
  describe(`${name} on SQLite`, { shuffle: false }, () => {
    const folder = temporaryFolder();
    tests(prepare('SQLite', folder, async (name) => `sqlite:${folder.join(`${name}.db`)}`));
  });
  describe.skipIf(!inject('postgres'))(`${name} on PostgreSQL`, { shuffle: false }, () => {
    tests(prepare('PostgreSQL', temporaryFolder(), () => createPostgres()));
  });
}

function prepare(
  kind: TestDatabase['kind'],
  folder: TemporaryFolder,
  create: (name: string) => Promise<string>,
): TestDatabase {
  let url = '';
  beforeAll(async () => {
    url = await create('test');
  });
  return {
    kind,
    get url() {
      return url;
    },
    get cwd() {
      return folder.path;
    },
    another: () => create(randomUUID()),
  };
}

/**
 * Creates a database in the PostgreSQL of the tests and returns its URL. It is removed with that PostgreSQL.
 *
 * @param template `template0` for a database without tables
 */
export async function createPostgres(template: typeof TEMPLATE | 'template0' = TEMPLATE): Promise<string> {
  const host = inject('postgres');
  if (host === undefined) throw new Error('there is no PostgreSQL: skip this test');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(postgresUrl(host, 'postgres'), `create database ${name} template ${template}`);
  return postgresUrl(host, name);
}
