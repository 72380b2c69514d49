import { copyFile, rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { betweenPostgres, fatal } from '../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import type { SqlStore } from '../src/sql-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const HOUR = 60 * 60 * 1000;
const AD = '00000000-0000-4000-8000-000000000001';
const click = (tokenId: string, at = NOW) => ({
  tokenId,
  tokenExpiresAt: at + 600_000,
  adId: AD,
  visitor: tokenId,
  at,
  repeatSince: at - 1000,
});

async function openWithBlog(url: string, statementTimeout = 10_000): Promise<SqlStore> {
  const store = await openStore(url, { statementTimeout });
  onTestFinished(() => store.close());
  await store.putBlog({ id: 'b', name: 'B', apiKeys: ['k'], ads: [{ id: AD, format: 'BANNER' }] }, NOW);
  return store;
}

/** Runs a statement outside the store, and returns its rows. */
async function besides(url: string, statement: string): Promise<readonly unknown[]> {
  if (url.startsWith('postgres')) return queryPostgres(url, statement);
  const connection = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 });
  try {
    return connection.prepare(statement).all();
  } finally {
    connection.close();
  }
}

/** Locks the tables to which events are written; call the result to release them. */
async function lockEvents(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite')) {
    const connection = new DatabaseSync(url.slice('sqlite:'.length));
    connection.exec('begin immediate');
    return async () => connection.close();
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query('begin; lock table counts, used_tokens in access exclusive mode');
  return () => client.end();
}

/** DATABASE_TIMEOUT, and how much longer a response may take, in milliseconds. */
const TIMEOUT = 1000;
const BEYOND = 2000;

describeDatabases('a store whose tables are locked', (database) => {
  test('refuses every event within its time-out', async () => {
    const store = await openWithBlog(database.url, TIMEOUT);
    const unlock = await lockEvents(database.url);
    const began = performance.now();
    const outcomes: Promise<unknown>[] = [];
    const add = (work: Promise<unknown>) =>
      outcomes.push(
        work.then(
          () => 'done',
          (error: unknown) => [error instanceof StoreUnavailable, performance.now() - began < TIMEOUT + BEYOND],
        ),
      );
    // Each event waits behind the previous ones. If each used the whole time-out, the last one would wait many times as
    // long.
    for (let round = 0; round < 6; round += 1) {
      add(store.deliver('b', { slots: [{ candidates: [AD], placement: 'top' }] }, NOW) as Promise<unknown>);
      add(store.recordClick('b', click(`t${round}`)) as Promise<unknown>);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => [true, true]));
    await unlock();
    await expect.poll(() => store.recordClick('b', click('after'))).toBe('counted');
  });
});

describeDatabases('many expired tokens', (database) => {
  const ROWS = 5000;
  const count = async () =>
    Number(((await besides(database.url, 'select count(*) as rows from used_tokens'))[0] as { rows: number }).rows);

  test('do not delay the first click, and are removed soon', async () => {
    const store = await openWithBlog(database.url);
    await besides(
      database.url,
      `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${ROWS})
        insert into used_tokens (blog_id, token_id, expires_at)
        select 'b', 'old' || number, ${NOW - 5 * HOUR} from numbers
        union all select 'b', 'last', ${NOW - HOUR} returning 1`,
    );
    expect(await store.recordClick('b', click('first'))).toBe('counted');
    // The click did not remove all of them, however far the removal in the background has come.
    expect(await count()).toBeGreaterThan(2);
    await expect.poll(count).toBe(2);
    expect(await store.recordClick('b', click('first'))).toBe('used');
  });
});

describe('a SQLite file that disappears while a store uses it', () => {
  test.each([
    ['deleted', (path: string) => rm(path)],
    [
      'replaced',
      async (path: string) => {
        await copyFile(path, `${path}.backup`);
        await rename(`${path}.backup`, path);
      },
    ],
  ])('if the file is %s, no write is acknowledged', async (how, take) => {
    const path = temporaryFolder().join('b.db');
    const store = await openWithBlog(`sqlite:${path}`);
    await store.deliver('b', { slots: [{ candidates: [AD], placement: 'top' }] }, NOW);
    await store.check();
    await take(path);
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    await expect(store.check()).rejects.toThrow(`was ${how}`);
    await expect(store.deliver('b', { slots: [{ candidates: [AD], placement: 'top' }] }, NOW)).rejects.toThrow(
      StoreUnavailable,
    );
    await expect(store.recordClick('b', click('t'))).rejects.toThrow(StoreUnavailable);
    expect((await store.findBlog('k'))?.id).toBe('b');
  });
});

describe.skipIf(!inject('postgres'))('a PostgreSQL that refuses connections', () => {
  const serverOf = (url: string) => url.replace(/\/test_\w+/, '/postgres');
  const nameOf = (url: string) => /test_\w+/.exec(url)?.[0] ?? '';
  const endSessions = (name: string) => `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${name}' and pid <> pg_backend_pid()`;

  /** A database that belongs to a role of the same name, and a store that this role opened. */
  async function setup() {
    const url = await createPostgres('template0');
    const [server, name] = [serverOf(url), nameOf(url)];
    await queryPostgres(server, `create role ${name} login`);
    await queryPostgres(server, `alter database ${name} owner to ${name}`);
    const store = await openWithBlog(url.replace('postgres@', `${name}@`));
    return { server, name, store };
  }
  const expectRefused = async (store: SqlStore) => {
    // The first calls find connections that the server has ended.
    for (let round = 0; round < 15; round += 1) {
      await expect(store.recordClick('b', click(`refused${round}`))).rejects.toThrow(StoreUnavailable);
    }
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
  };

  test('every call is refused after the database was dropped', async () => {
    const url = await createPostgres();
    const store = await openWithBlog(url);
    await queryPostgres(serverOf(url), `drop database ${nameOf(url)} with (force)`);
    await expectRefused(store);
    await expect(store.check()).rejects.toThrow(/does not exist/);
  });

  test.each([
    ['the role is not allowed to log in', 'alter role NAME nologin', 'alter role NAME login'],
    ['the role is allowed no connection', 'alter role NAME connection limit 0', 'alter role NAME connection limit -1'],
    [
      'the database accepts no connection',
      'alter database NAME allow_connections false',
      'alter database NAME allow_connections true',
    ],
    [
      'the role is not allowed to connect to the database',
      'alter database NAME owner to postgres; revoke connect on database NAME from public',
      'grant connect on database NAME to NAME',
    ],
  ])('calls are refused because %s, and succeed when connections are allowed again', async (_, refuse, allow) => {
    const { server, name, store } = await setup();
    await queryPostgres(server, refuse.replaceAll('NAME', name));
    await queryPostgres(server, endSessions(name));
    await expectRefused(store);
    await queryPostgres(server, allow.replaceAll('NAME', name));
    const counts = async () => store.recordClick('b', click('after'));
    await expect.poll(() => counts().catch(() => 'refused')).toBe('counted');
  });

  test.each([
    ['28P01', 'password authentication failed for user "b"'],
    ['57P03', 'the database system is starting up'],
    ['58P01', 'could not open file "global/pg_filenode.map"'],
  ])('calls are refused while PostgreSQL refuses connections with %s', async (code, message) => {
    let refuses = false;
    const url = await createPostgres();
    const refuse = () => (refuses ? fatal(code, message) : undefined);
    const store = await openWithBlog(await betweenPostgres(url, { refuse }));
    refuses = true;
    await queryPostgres(serverOf(url), endSessions(nameOf(url)));
    await expectRefused(store);
  });
});

describe.skipIf(!inject('postgres'))('a PostgreSQL that becomes a standby', () => {
  test('counts nothing until there is a primary again, and resumes immediately', async () => {
    const url = await createPostgres();
    const name = new URL(url.replace('postgres@/', 'postgres@host/')).pathname.slice(1);
    const store = await openWithBlog(url);
    await store.check();
    // A session takes the setting from its database when it begins, just as it takes the role of its server.
    await queryPostgres(url, `alter database ${name} set default_transaction_read_only = on`);
    await queryPostgres(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await expect.poll(async () => (await store.listBlogs().catch(() => [])).length).toBe(1);
    // Opens several sessions that read from the standby.
    await Promise.all(Array.from({ length: 8 }, () => store.listBlogs()));
    await queryPostgres(
      `${url}&options=-c%20default_transaction_read_only%3Doff`,
      `alter database ${name} reset default_transaction_read_only`,
    );
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    await store.check();
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.recordClick('b', click(`t${index}`))));
  });
});
