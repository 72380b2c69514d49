import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { copyDatabase } from '../src/copy/copy.ts';
import { sqlCopyEnd } from '../src/copy/sql-copy-end.ts';
import type { Database } from '../src/database.ts';
import { createTables, migrate } from '../src/migrations.ts';
import { openDatabase } from '../src/open-database.ts';
import { openStore } from '../src/open-store.ts';
import { POSTGRES_SCHEMA } from '../src/postgres/dialect.ts';
import { readLayout, schemaHash } from '../src/schema/schema.ts';
import { DatabaseTooNew, SCHEMA_VERSIONS, UnknownSchema } from '../src/schema/versions.ts';
import { SQLITE_SCHEMA } from '../src/sqlite/dialect.ts';

const OLDER = new URL('./older/', import.meta.url);
const files = readdirSync(OLDER).filter((name) => !name.endsWith('.md'));
const TEA = '11111111-1111-4111-8111-111111111111';
const FREE = '22222222-2222-4222-8222-222222222222';
/** When the databases were written. */
const WRITTEN = Date.parse('2026-11-28T19:00:00Z');

/** Puts an older database in place, and returns its URL. */
async function restore(name: string): Promise<string> {
  const bytes = readFileSync(new URL(name, OLDER));
  if (name.endsWith('.sql')) {
    const url = await createPostgres('template0');
    await queryPostgres(url, bytes.toString());
    return url;
  }
  const path = temporaryFolder().join('older.db');
  writeFileSync(path, gunzipSync(bytes));
  return `sqlite:${path}`;
}

/** What must be the same in every database, whichever version wrote it. */
async function expectContents(url: string): Promise<void> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  await store.check();
  const exported = await store.exportBlog('magazine');
  expect(exported?.posts.map(({ id }) => id).sort()).toEqual(['p1', 'p2', 'p3']);
  expect(exported).toMatchObject({ timeZone: 'Europe/Berlin', campaigns: [{ id: 'k1', sponsor: 'Tea Ltd' }] });
  const blog = { id: 'magazine', revision: 'x' };
  expect((await store.searchPosts(blog.id, ['creme'], { offset: 0, limit: 9 })).map(({ id }) => id)).toEqual(['p1']);
  const search = 'creme-brul';
  const range = { offset: 0, limit: 9 };
  expect((await store.listAllPosts(blog.id, { search }, range)).items).toMatchObject([{ id: 'p1' }]);
  expect((await store.listKeys(blog.id)).map(({ revokedAt }) => revokedAt)).toContain(null);
  expect((await store.listPeople(WRITTEN)).map(({ name }) => name).sort()).toEqual(['ann', 'ben']);
  expect(await store.listHooks(blog.id)).toMatchObject([{ url: 'https://hook.example/x' }]);
  expect((await store.listBin(blog.id, WRITTEN)).items).toMatchObject([{ kind: 'post', id: 'p4' }]);
  expect((await store.readLog({ search: 'INVITED', offset: 0, limit: 9 })).entries.length).toBeGreaterThan(0);
  const figures = await store.figures(blog.id, { by: ['ad'] });
  expect(figures).toMatchObject([
    { ad: '', requests: 3 },
    { ad: TEA, delivered: 4, valid: 3, clicks: 1 },
    { ad: FREE, delivered: 3, valid: 2, clicks: 0 },
  ]);
  expect(await store.figures(blog.id, { by: ['ad', 'placement'], ad: TEA })).toMatchObject([
    { placement: '', delivered: 1, valid: 1 },
    { placement: 'top', delivered: 3, valid: 2 },
  ]);
  expect(await store.figures(blog.id, { by: ['traffic'], ad: TEA })).toMatchObject([
    { traffic: 'bot', delivered: 1 },
    { traffic: 'valid', delivered: 3 },
  ]);
  expect(await store.figures(blog.id, { by: ['campaign'], ad: TEA })).toMatchObject([{ campaign: 'k1', valid: 3 }]);
}

/** Checks rows that no method of the store returns as they are. */
async function expectRows({ reader: db }: Database): Promise<void> {
  const rows = <Row>(found: readonly Row[]) => found.map((row) => ({ ...row }));
  expect(rows(await db`select impressions, clicks from campaign_counts where day = ''`)).toEqual([
    { impressions: 3, clicks: 1 },
  ]);
  const [delivery, ...others] = await db<{ ads: string; day: string; traffic: string; at: number }>`
    select ads, day, traffic, at from deliveries`;
  expect(others).toEqual([]);
  expect(JSON.parse(delivery?.ads ?? '')).toEqual({ adIds: [TEA, FREE, null], campaigns: { [TEA]: 'k1' } });
  expect(delivery).toMatchObject({ day: '2026-11-28', traffic: 'valid' });
  const invitations = await db`select name, role, blog_id from invitations order by name`;
  expect(rows(invitations)).toEqual([
    { name: 'ann', role: 'manage', blog_id: 'magazine' },
    { name: 'ben', role: 'view', blog_id: null },
  ]);
  const [hook] = await db<{ old_secrets: string }>`select old_secrets from webhooks`;
  expect(JSON.parse(hook?.old_secrets ?? '')).toEqual([
    { secret: expect.stringMatching(/^whsec_/), until: (delivery?.at ?? 0) > 0 ? expect.any(Number) : 0 },
  ]);
}

describe.each(files)('the database %s', (name) => {
  const isSkipped = name.endsWith('.sql') && !inject('postgres');

  test.skipIf(isSkipped)('is updated to the tables of this version, and keeps its contents', async () => {
    const url = await restore(name);
    await expectContents(url);
    const open = await openDatabase(url);
    onTestFinished(() => open.close());
    await expectRows(open);
    const updated = await readLayout(open.reader, open.schema);
    const created = await openDatabase(name.endsWith('.sql') ? await createPostgres() : 'sqlite::memory:');
    onTestFinished(() => created.close());
    expect(updated).toEqual(await readLayout(created.reader, created.schema));
    const indexes = async ({ reader }: Database) =>
      name.endsWith('.sql')
        ? await reader`select indexname, replace(indexdef, 'public.', '') from pg_indexes
            where schemaname = current_schema() order by indexname`
        : await reader`select name, tbl_name from sqlite_master where type in ('index', 'trigger') order by name`;
    expect(await indexes(open)).toEqual(await indexes(created));
  });

  test.skipIf(isSkipped)('is copied as it is, without being changed', async () => {
    const url = await restore(name);
    const before = url.startsWith('sqlite:') ? readFileSync(url.slice('sqlite:'.length)) : undefined;
    const target = `sqlite:${temporaryFolder().join('copy.db')}`;
    await copyDatabase(sqlCopyEnd(url), sqlCopyEnd(target));
    await expectContents(target);
    const open = await openDatabase(target);
    onTestFinished(() => open.close());
    await expectRows(open);
    if (before) expect(readFileSync(url.slice('sqlite:'.length)).equals(before)).toBe(true);
    else expect(await queryPostgres(url, 'select * from schema_version')).toEqual([{ version: 1 }]);
  });
});

test('a change of a table adds a version of the schema, or changes the hashes of one that was not released', async () => {
  expect(SCHEMA_VERSIONS.at(-1)?.hashes).toEqual({
    SQLite: await schemaHash(SQLITE_SCHEMA),
    PostgreSQL: await schemaHash(POSTGRES_SCHEMA),
  });
});

/** Changes a new SQLite file, and opens it again. */
async function openChanged(statement: string): Promise<{ readonly error: unknown; readonly isUnchanged: boolean }> {
  const path = temporaryFolder().join('changed.db');
  await (await openStore(`sqlite:${path}`)).close();
  const connection = new DatabaseSync(path);
  connection.exec(statement);
  connection.close();
  const before = readFileSync(path);
  const error = await openStore(`sqlite:${path}`).catch((thrown: unknown) => thrown);
  return { error, isUnchanged: readFileSync(path).equals(before) };
}

test('a database of a newer version is refused by its release, and not changed', async () => {
  const { error, isUnchanged } = await openChanged("update schema_version set version = 77, release = '4.2.0'");
  expect(error).toBeInstanceOf(DatabaseTooNew);
  expect(String(error)).toMatch(/Broadsheet 4\.2\.0 wrote the database with schema version 77/);
  expect(isUnchanged).toBe(true);
});

test.each([
  ['of this version with other statements', "update schema_version set hash = 'abc'", /hash is abc, expected/],
  ['of the first version with a column of nobody', firstWith('alter table ads add column colour text'), /ads\.colour/],
  ['of the first version without a table', firstWith('drop table placements'), /see placements/],
  ['of the first version with a hash', 'update schema_version set version = 1', /expected none/],
])('a database %s is refused, and not changed', async (_, statement, message) => {
  const { error, isUnchanged } = await openChanged(statement);
  expect(error).toBeInstanceOf(UnknownSchema);
  expect(String(error)).toMatch(message);
  expect(isUnchanged).toBe(true);
});

function firstWith(statement: string): string {
  return `drop table schema_version; create table schema_version (version integer not null primary key);
    insert into schema_version values (1); ${statement}`;
}

test('a migration that fails changes nothing', async () => {
  const url = await restore(files[0] ?? '');
  const open = await openDatabase(url, { migrate: false });
  onTestFinished(() => open.close());
  const before = await readLayout(open.reader, open.schema);
  const dialect = { ...open.schema, triggers: ['create trigger nothing on nowhere'] };
  const work = open.transact((db) => migrate(db, { ...open, dialect }));
  await expect(work).rejects.toThrow();
  expect(await readLayout(open.reader, open.schema)).toEqual(before);
});

test('the statements of the schema can be run in an empty database', async () => {
  const connection = new DatabaseSync(':memory:');
  onTestFinished(() => connection.close());
  await createTables(async ([text = '']) => connection.prepare(text).all() as never, SQLITE_SCHEMA);
  expect(connection.prepare('select count(*) as blogs from blogs').get()).toMatchObject({ blogs: 0 });
});
