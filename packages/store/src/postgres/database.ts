import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { migrate, requireOurs } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { PostgresChanges } from './changes.ts';
import { createPool, measurePool, type PoolOptions, poolForKysely } from './driver.ts';
import { createPostgresEvents } from './events.ts';
import { createPostgresImports } from './imports.ts';
import { POSTGRES_SCHEMA } from './schema.ts';
import { createPostgresSearch, prepareTrigrams } from './search.ts';

/** An arbitrary number, the same in every Broadsheet: the process that holds this lock may change the schema. */
const MIGRATION_LOCK = 4_507_281_930;
/** How many milliseconds a write that can be retried later waits for other writes. */
const SOON = 500;
/** How many milliseconds the commit of a group of events waits for locked rows, before each blog has its own commit. */
const LOCK_TIMEOUT = 50;
/** The number of connections for long work; they are open only while they are needed. */
const BULK_CONNECTIONS = 2;

/** Opens a PostgreSQL database and brings its schema up to date. */
export async function openPostgres(
  url: string,
  { create, ...options }: PoolOptions & { create: boolean },
): Promise<Database> {
  const pool = createPool(url, { ...options, lockTimeout: LOCK_TIMEOUT });
  const db = kyselyOver(pool);
  // A caller waits until one of these connections is free.
  const bulk = kyselyOver(createPool(url, { size: BULK_CONNECTIONS, statementTimeout: 0, connectWait: 0 }));
  const changes = new PostgresChanges(db, url);
  const close = async () => void (await Promise.all([changes.close(), db.destroy(), bulk.destroy()]));
  try {
    // A proxy may refuse the settings that only these connections have.
    await sql`select 1`.execute(db);
    await bulk.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
      await requireTables(transaction, create);
      await migrate(transaction, POSTGRES_SCHEMA);
      await prepareTrigrams(transaction);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    reader: db,
    transact(work, { for: purpose } = {}) {
      if (purpose === 'long') return bulk.transaction().execute(work);
      return db.transaction().execute(async (transaction) => {
        // Other writes wait as long as a statement may take.
        const wait = purpose === 'soon' ? SOON : 0;
        await sql`set local lock_timeout = ${sql.lit(wait)}`.execute(transaction);
        return work(transaction);
      });
    },
    ...createPostgresImports(db, bulk),
    snapshot: (work) =>
      bulk.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    asBytes: (text) => text,
    search: createPostgresSearch(db),
    events: createPostgresEvents(db, changes),
    async check() {
      // Only a write distinguishes a standby from a primary, and a full disk from one with room.
      await sql`update schema_version set version = version`.execute(db);
    },
    changes,
    canHold: (text) => !text.includes('\0'),
    rowsPerInsert: 500,
    async duringBulk(transaction) {
      // A planner that considers a table empty scans all of it for every post.
      await sql`analyze (skip_locked) posts, post_labels, post_texts`.execute(transaction);
    },
    async afterBulk() {
      // Updates the statistics of the planner, and the visibility map, which allows index-only scans for deep pages.
      await sql`vacuum (analyze, skip_locked) posts, post_labels, post_texts`.execute(bulk);
    },
    measures: () => measurePool(pool),
    close,
  };
}

/** @throws NotOurs */
async function requireTables(db: Kysely<Tables>, create: boolean): Promise<void> {
  // An extension may have brought tables with it.
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`.execute(db);
  requireOurs(
    rows.map(({ name }) => name),
    create,
  );
}

function kyselyOver(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolForKysely(pool) }) });
}
