import { randomUUID } from 'node:crypto';
import { beforeAll, describe, inject } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './folder.ts';
// Types of the values that the global setup provides.
import type {} from './postgres.ts';
import { queryPostgres } from './query-postgres.ts';

/** An empty database for a group of tests. */
export interface TestDatabase {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Its URL, as passed to `--database`. SQLite uses a file in {@link cwd}. */
  readonly url: string;
  /** A temporary directory for files, and the working directory of commands. */
  readonly cwd: string;
}

/**
 * Runs a group of tests on each available kind of database, each with an empty database. They run in their order, because
 * each finds what those before it have written.
 */
export function describeDatabases(name: string, tests: (database: TestDatabase) => void): void {
  describe(`${name} on SQLite`, { shuffle: false }, () => {
    const folder = temporaryFolder();
    tests(prepare('SQLite', folder, async () => `sqlite:${folder.join('test.db')}`));
  });
  describe.skipIf(!inject('postgres'))(`${name} on PostgreSQL`, { shuffle: false }, () => {
    tests(prepare('PostgreSQL', temporaryFolder(), () => createPostgres()));
  });
}

function prepare(kind: TestDatabase['kind'], folder: TemporaryFolder, create: () => Promise<string>): TestDatabase {
  let url = '';
  beforeAll(async () => {
    url = await create();
  });
  return {
    kind,
    get url() {
      return url;
    },
    get cwd() {
      return folder.path;
    },
  };
}

/** Creates an empty database in the PostgreSQL of the tests and returns its URL. It is removed with that PostgreSQL. */
export async function createPostgres(): Promise<string> {
  const host = inject('postgres');
  if (host === undefined) throw new Error('there is no PostgreSQL: skip this test');
  const url = (name: string) => `postgres://postgres@/${name}?host=${encodeURIComponent(host)}`;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(url('postgres'), `create database ${name} template template0`);
  return url(name);
}
