import { StoreUnavailable } from '@broadsheet/core';
import sql, { raw } from 'sql-template-tag';
import { IMPORT_ATTEMPTS, type ImportTransact, type ImportWork, KEPT_CHANGING, type Transact } from '../database.ts';
import { createTables } from '../migrations.ts';
import { type Db, names, updating } from '../sql.ts';
import { primaryKey, TABLES } from '../tables.ts';
import { doStep } from '../turns.ts';
import { SQLITE_SCHEMA } from './dialect.ts';
import { BEGIN, createWriter, openConnection } from './driver.ts';
import { isRowOf, reserveRows, searchTables } from './search.ts';

/** The tables of a blog that an import changes. */
const CONTENT_TABLES = [
  'labels',
  'posts',
  'post_labels',
  'post_texts',
  'campaigns',
  'ads',
  'campaign_ads',
  'recycle_bin',
] as const;
/** The tables of a blog that an import reads. */
const LOADED_TABLES = ['blogs', 'webhooks', ...CONTENT_TABLES] as const;

/** The number of posts that are indexed in one transaction. */
const INDEXED = 500;

/** The file, and the time for which a transaction waits for others. */
export interface StagingOptions {
  readonly path: string;
  readonly wait: number;
  /** Throws if a write would be lost. */
  requireFile(): void;
}

/**
 * SQLite has one writer at a time, and others time out during a long write. Therefore, an import first writes to a
 * temporary database with copies of its blogs, and then writes the difference to the file: the entries of the search
 * index in small transactions, and everything that readers see in a single one. Events are recorded in between. A
 * killed import leaves entries in the index that refer to no post; the next import of the blog removes them.
 */
export const stageImports =
  (options: StagingOptions): ImportTransact =>
  async (work) => {
    for (let attempt = 1; attempt <= IMPORT_ATTEMPTS; attempt += 1) {
      const connection = openConnection('', 0);
      try {
        connection.run(sql`attach ${options.path} as live`);
        const result = await connection.transact(BEGIN, (db) => prepare(db, work));
        const write = createWriter(connection, options.requireFile);
        const transact: Transact = (step) => write(step, options.wait);
        const rows = await transact(reserve);
        if (!rows) continue;
        await connection.transact(BEGIN, (db) => moveTexts(db, rows));
        if ((await indexTexts(transact)) && (await transact(apply))) return result;
      } finally {
        connection.close();
      }
    }
    throw new StoreUnavailable(KEPT_CHANGING);
  };

/** Does the work in the temporary database, and records how its rows differ from those of the file. */
async function prepare<T>(db: Db, work: ImportWork<T>): Promise<T> {
  await createTables(db, { ...SQLITE_SCHEMA, search: searchTables('create table post_search (text text)') });
  await db`create table loaded (blog_id text primary key, revision text, number integer)`;
  await db`create table left_entries (entry integer primary key)`;
  // The keys of all blogs, because a key that opens another blog is refused.
  await db`insert into api_keys select * from ${live('api_keys')}`;
  const result = await work(db, (blogId) => load(db, blogId));
  for (const table of CONTENT_TABLES) await noteDifference(db, table);
  return result;
}

/** Copies a blog to the temporary database, unless it is already there. */
async function load(db: Db, blogId: string): Promise<void> {
  const added = await db`insert into loaded (blog_id, revision)
    select ${blogId}, (select revision from live.blogs where blog_id = ${blogId})
    where true on conflict do nothing returning blog_id`;
  if (added.length === 0) return;
  for (const table of LOADED_TABLES) {
    await db`insert into ${names(table)} select * from ${live(table)} where blog_id = ${blogId}`;
  }
  // New texts get negative row ids, which no text in the file has, until `reserve` reserves others.
  await db`insert into post_rows (number, blog_id, next) select -count(*), ${blogId}, 0 from loaded`;
  await db`insert into left_entries select rowid from live.post_search
    where ${isRowOf(blogId, 'live.post_rows')} and rowid not in (select row from live.post_texts)`;
}

async function noteDifference(db: Db, table: (typeof CONTENT_TABLES)[number]): Promise<void> {
  const same = raw(
    Object.keys(TABLES[table])
      .map((name) => `here.${name} is there.${name}`)
      .join(' and '),
  );
  await db`create table ${goneFrom(table)} as select ${names(...primaryKey(table))} from ${live(table)} as there
    where there.blog_id in (select blog_id from loaded)
      and not exists (select 1 from ${names(table)} as here where ${same})`;
  await db`create table ${freshIn(table)} as select here.rowid as place from ${names(table)} as here
    where not exists (select 1 from ${live(table)} as there where ${same})`;
}

const live = (table: string) => names(`live.${table}`);
const goneFrom = (table: string) => names(`gone_${table}`);
const freshIn = (table: string) => names(`fresh_${table}`);

/**
 * Whether the blogs are unchanged since they were copied and have the row ids that were reserved for them, and whether
 * none of their keys opens another blog.
 */
async function areUnchanged(db: Db): Promise<boolean> {
  const rows = await db`
    select 1 from loaded left join live.blogs as there using (blog_id) where loaded.revision is not there.revision
    union all
    select 1 from loaded left join live.post_rows as there using (blog_id)
      where loaded.number is not null and loaded.number is not there.number
    union all
    select 1 from api_keys as here join live.api_keys as there using (key_hash) where here.blog_id <> there.blog_id
    limit 1`;
  return rows.length === 0;
}

/** Row ids for the new texts of a blog: the temporary ones, and the final ones. */
interface Reserved {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

/** Reserves row ids in the file for new texts; `undefined` when a blog has changed. */
async function reserve(db: Db): Promise<Reserved[] | undefined> {
  if (!(await areUnchanged(db))) return undefined;
  const reserved: Reserved[] = [];
  const rows = await db<{ blog_id: string; next: number }>`select blog_id, next from post_rows
    where next > 0`;
  for (const { blog_id, next } of rows) {
    // Reserving none in the temporary database returns the row id after the last one.
    const from = (await reserveRows(db, 'post_rows', blog_id, 0)) - next;
    reserved.push({ from, count: next, to: await reserveRows(db, 'live.post_rows', blog_id, next) });
    await db`update loaded set number = (select number from live.post_rows where blog_id = ${blog_id})
      where blog_id = ${blog_id}`;
  }
  return reserved;
}

/** Gives new texts the row ids that were reserved for them. */
async function moveTexts(db: Db, reserved: readonly Reserved[]): Promise<void> {
  for (const { from, count, to } of reserved) {
    for (const [table, column] of [
      ['post_texts', 'row'],
      ['post_search', 'rowid'],
      ['fresh_post_texts', 'place'],
    ] as const) {
      const id = names(column);
      await db`update ${names(table)} set ${id} = ${id} + ${to - from}
        where ${id} >= ${from} and ${id} < ${from + count}`;
    }
  }
}

/** Adds the texts of new and changed posts to the index, in steps between which others can write. */
async function indexTexts(transact: Transact): Promise<boolean> {
  for (let after = -1; ; ) {
    const step = () =>
      transact(async (db) => {
        if (!(await areUnchanged(db))) return undefined;
        const some = sql`select rowid, text from post_search where rowid > ${after} order by rowid limit ${INDEXED}`;
        await db`insert into live.post_search (rowid, text) ${some}`;
        const rows = await db<{ last: number | null }>`select max(rowid) as last from (${some})`;
        return rows[0]?.last ?? 'all';
      });
    const last = await doStep(step);
    if (last === undefined) return false;
    if (last === 'all') return true;
    after = last;
  }
}

/** Writes the difference to the file, unless another write has changed a blog. */
async function apply(db: Db): Promise<boolean> {
  if (!(await areUnchanged(db))) return false;
  for (const table of CONTENT_TABLES) {
    const keys = names(...primaryKey(table));
    await db`delete from ${live(table)} where (${keys}) in (select ${keys} from ${goneFrom(table)})`;
    await db`insert into ${live(table)} select * from ${names(table)}
      where rowid in (select place from ${freshIn(table)})`;
  }
  // Another import of the blog may have written some of these, but finds that the blog has changed.
  await db`delete from live.post_search where rowid in (select entry from left_entries)`;
  await db`insert into live.blogs select * from blogs where blog_id in (select blog_id from loaded)
    ${updating('blogs')}`;
  const columns = names(...Object.keys(TABLES.webhook_messages).filter((name) => name !== 'seq'));
  await db`insert into live.webhook_messages (${columns}, seq) select ${columns}, seq + coalesce(
      (select max(seq) from live.webhook_messages as there where there.blog_id = here.blog_id), 0)
    from webhook_messages as here where exists (select 1 from live.webhooks as hook
      where hook.blog_id = here.blog_id and hook.id = here.hook_id and gone_at is null)`;
  await db`insert into live.panel_log select * from panel_log`;
  await db`insert into live.uploads select * from uploads where true on conflict do nothing`;
  // One of the other blogs whose keys were copied may have been deleted.
  await db`insert into live.api_keys select * from api_keys
    where blog_id in (select blog_id from loaded) and key_hash not in (select key_hash from live.api_keys)`;
  return true;
}
