import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
// What the global set-up provides, as a type.
import type {} from '../../../tools/postgres.ts';

/** A database for one group of tests. */
export interface TestDatabase {
  /** A directory of its own, for files and as the working directory of commands. */
  readonly cwd: string;
  readonly url: string;
}

/** Runs a group of tests on each database there is, each time on one of its own. */
export function describeDatabases(name: string, tests: (database: TestDatabase) => void): void {
  const socket = inject('postgres');
  describe(`${name} on SQLite`, () => tests(prepare(async () => 'sqlite:test.db')));
  describe.skipIf(!socket)(`${name} on PostgreSQL`, () => tests(prepare(() => createPostgres(socket ?? ''))));
}

function prepare(create: () => Promise<string>): TestDatabase {
  const database = { cwd: '', url: '' };
  beforeAll(async () => {
    database.cwd = await mkdtemp(join(tmpdir(), 'broadsheet-test-'));
    database.url = await create();
  });
  afterAll(() => rm(database.cwd, { recursive: true, force: true }));
  return database;
}

async function createPostgres(host: string): Promise<string> {
  const name = `door_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `postgres://postgres@${encodeURIComponent(host)}/${name}`;
}
