import type { Database, Report } from '../database.ts';
import { DatabaseUnsuitable, migrate, requireOurs, requireReadable } from '../migrations.ts';
import type { Db } from '../sql.ts';
import { PostgresChanges } from './changes.ts';
import { POSTGRES_EVENTS, POSTGRES_SCHEMA } from './dialect.ts';
import { connect, type PoolOptions } from './driver.ts';
import { createPostgresImports } from './imports.ts';
import { createPostgresSearch, prepareTrigrams } from './search.ts';

/** An arbitrary number, the same in every Broadsheet: the process that holds this lock may change the schema. */
const MIGRATION_LOCK = 4_507_281_930;
/** The number of milliseconds for which transactions wait for locked rows, instead of until their statements time out. */
const LOCK_TIMEOUTS = {
  /** A write that can be retried later. */
  soon: 500,
  /** A group of events; then each of its blogs has a commit of its own. */
  together: 50,
  apart: 200,
};
/** The number of connections for long work; they are open only while they are needed. */
const BULK_CONNECTIONS = 2;
const ROWS_PER_INSERT = 500;

/** How a PostgreSQL database is used. */
interface PostgresOptions extends PoolOptions {
  readonly create: boolean;
  /** Whether an older schema is updated. */
  readonly migrate: boolean;
  readonly report?: Report | undefined;
}

/** Opens a PostgreSQL database and brings its schema up to date. */
export async function openPostgres(
  url: string,
  { create, migrate: isMigrated, report, ...options }: PostgresOptions,
): Promise<Database> {
  const usual = connect(url, options);
  // A caller waits until one of these connections is free.
  const { db } = usual;
  const bulk = connect(url, { size: BULK_CONNECTIONS, statementTimeout: 0, connectWait: 0 }, db);
  const changes = new PostgresChanges(db, url);
  const close = async () => void (await Promise.all([changes.close(), usual.close(), bulk.close()]));
  try {
    // A proxy may refuse the settings that only these connections have.
    await db`select 1`;
    await bulk.transact('begin', async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await requireServer(transaction);
      await requireTables(transaction, create);
      if (!isMigrated) return void (await requireReadable(transaction, POSTGRES_SCHEMA));
      const search = createPostgresSearch(transaction);
      await migrate(transaction, { dialect: POSTGRES_SCHEMA, search, rowsPerInsert: ROWS_PER_INSERT });
      await prepareTrigrams(transaction);
    });
    await reportSettings(db, report);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    reader: db,
    async transact(work, { for: purpose = 'request' } = {}) {
      if (purpose === 'long') return bulk.write(work);
      if (purpose === 'request') return usual.write(work);
      return usual.write(work, `set local lock_timeout = ${LOCK_TIMEOUTS[purpose]}; `);
    },
    ...createPostgresImports(db, bulk),
    snapshot: (work) => bulk.transact('begin isolation level repeatable read read only', work),
    asBytes: (text) => text,
    search: createPostgresSearch(db),
    eventDialect: POSTGRES_EVENTS,
    changes,
    canHold: (text) => !text.includes('\0'),
    rowsPerInsert: ROWS_PER_INSERT,
    schema: POSTGRES_SCHEMA,
    async duringBulk(transaction) {
      // If the planner considers a table empty, it scans the whole table for every post.
      await transaction`analyze (skip_locked) posts, post_labels, post_texts`;
    },
    async afterBulk() {
      // Updates the statistics of the planner, and the visibility map, which allows index-only scans for deep pages.
      await bulk.db`vacuum (analyze, skip_locked) posts, post_labels, post_texts`;
    },
    measures: usual.measures,
    close,
  };
}

/** Reports settings of PostgreSQL with which a promise of this store does not hold. */
async function reportSettings(db: Db, report: Report | undefined): Promise<void> {
  const [setting] = await db<{ synchronous_commit: string }>`show synchronous_commit`;
  if (setting?.synchronous_commit !== 'off') return;
  const message = 'PostgreSQL has synchronous_commit = off: a crash loses ads and clicks that were acknowledged';
  report?.(message, 'Set it to on in postgresql.conf, or for the database or role of Broadsheet.');
}

/** The oldest version of PostgreSQL with every function that statements use. */
const OLDEST_VERSION = 13;

/** @throws DatabaseUnsuitable when PostgreSQL is too old, or when the database cannot hold every text */
async function requireServer(db: Db): Promise<void> {
  const [server] = await db<{
    encoding: string;
    version: number;
  }>`select current_setting('server_encoding') as encoding,
    current_setting('server_version_num')::integer / 10000 as version`;
  if (!server) return;
  if (server.version < OLDEST_VERSION) {
    throw new DatabaseUnsuitable(
      `PostgreSQL ${server.version} is too old: PostgreSQL ${OLDEST_VERSION} or later is required`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnsuitable(
      `The encoding of the database is ${server.encoding}, so it cannot hold every text: create one with UTF8, such as createdb --template template0 --encoding UTF8 broadsheet`,
    );
  }
}

/** @throws NotOurs */
async function requireTables(db: Db, create: boolean): Promise<void> {
  // The tables may belong to an extension.
  const rows = await db<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`;
  requireOurs(
    rows.map(({ name }) => name),
    create,
  );
}
