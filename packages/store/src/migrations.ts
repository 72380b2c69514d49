import { bulk } from 'sql-template-tag';
import { toSearched } from './posts/post-writes.ts';
import { FORMER_TABLES, findUnknown, needsRows, readOlderRows } from './schema/older-rows.ts';
import {
  CREATED_TABLES,
  createIndexes,
  createSchema,
  createTable,
  dropIndexes,
  isCurrent,
  type Layout,
  readLayout,
  type SchemaDialect,
} from './schema/schema.ts';
import { readVersion, requireKnown, SCHEMA_VERSION, UnknownSchema, writeVersion } from './schema/versions.ts';
import type { PostSearch } from './search/post-texts.ts';
import { chunks, type Db, names, readInBatches } from './sql.ts';
import { TABLES, type TableName, type Tables } from './tables.ts';

/** Thrown when Broadsheet cannot work with a database server, or with the way in which a database was created. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable';
}

/** Thrown when a database has no tables of Broadsheet and none may be created. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
  /** Whether it has no tables at all. */
  readonly isEmpty: boolean;

  constructor(message: string, isEmpty: boolean) {
    super(message);
    this.isEmpty = isEmpty;
  }
}

/** Tables of every version: a database that has all of them belongs to Broadsheet. */
const OUR_TABLES = ['schema_version', 'blogs', 'counted_clicks'];

/**
 * Refuses a database by the names of its tables: a database of another program, and an empty one unless `create` is
 * set.
 *
 * @throws NotOurs
 */
export function requireOurs(tables: readonly string[], create: boolean): void {
  if (OUR_TABLES.every((name) => tables.includes(name))) return;
  if (!create) throw new NotOurs('The database has no tables of Broadsheet.', tables.length === 0);
  if (tables.length === 0) return;
  const some = tables.slice(0, 3).join(', ');
  throw new NotOurs(
    `The database has tables of another program (${some}${tables.length > 3 ? ' and more' : ''}): use a separate database for Broadsheet.`,
    false,
  );
}

/**
 * Refuses a database whose schema this program cannot read. Nothing is written.
 *
 * @returns whether it needs no migration
 * @throws DatabaseTooNew
 * @throws UnknownSchema
 */
export async function requireReadable(db: Db, dialect: SchemaDialect): Promise<boolean> {
  const stored = await readVersion(db);
  if (stored) await requireKnown(stored, dialect);
  if (stored && stored.version < SCHEMA_VERSION) requireOlder(await readLayout(db, dialect), stored.version);
  return stored?.version === SCHEMA_VERSION;
}

/** Creates the tables of the current version in an empty database. */
export const createTables = (db: Db, dialect: SchemaDialect): Promise<void> => run(db, createSchema(dialect));

/** The database that is migrated, beside its transaction. */
export interface Migrated {
  readonly dialect: SchemaDialect;
  /** Indexes posts again if the index of an older version is another one. */
  readonly search: Pick<PostSearch, 'write'>;
  readonly rowsPerInsert: number;
}

/**
 * Brings the schema up to date; call it inside a transaction that holds the migration lock. All tables of an older
 * version become those of the current one, or nothing changes.
 *
 * @throws DatabaseTooNew
 * @throws UnknownSchema
 */
export async function migrate(db: Db, { dialect, search, rowsPerInsert }: Migrated): Promise<void> {
  const layout = await readLayout(db, dialect);
  if (!layout.has('schema_version')) await createTables(db, dialect);
  else if (await requireReadable(db, dialect)) return;
  else await rebuild(db, layout, { dialect, search, rowsPerInsert });
  await writeVersion(db, dialect);
}

/** Refuses an older database with tables that no commit of its version wrote. @throws UnknownSchema */
function requireOlder(layout: Layout, version: number): void {
  const unknown = findUnknown(layout);
  if (unknown === undefined) return;
  throw new UnknownSchema(
    `The database has schema version ${version}, but not the tables of that version (see ${unknown}): undo what another ` +
      'program changed, or restore a backup. The database was not changed.',
  );
}

async function rebuild(db: Db, layout: Layout, { dialect, search, rowsPerInsert }: Migrated): Promise<void> {
  await run(db, [...dialect.dropTriggers, ...dropIndexes()]);
  const older = CREATED_TABLES.filter((name) => needsRows(name) || !isCurrent(layout, dialect, name));
  for (const name of older) {
    await run(db, [createTable(dialect, name, fresh(name))]);
    for await (const rows of readOlderRows(db, name, { layout, size: rowsOf(name) })) await insertFresh(db, name, rows);
  }
  // Older tables are read until the last one is written.
  const gone = [...older, ...FORMER_TABLES].filter((name) => layout.has(name));
  await run(
    db,
    gone.map((name) => `drop table ${name}`),
  );
  for (const name of older) {
    const renameKey = dialect.renameKey?.(fresh(name), name);
    await run(db, [`alter table ${fresh(name)} rename to ${name}`, ...(renameKey ? [renameKey] : [])]);
  }
  await run(db, createIndexes());
  const isIndexed = dialect.searchTables.every((name) => layout.has(name));
  if (!isIndexed)
    await run(db, [...dialect.searchTables.map((name) => `drop table if exists ${name}`), ...dialect.search]);
  const others = Object.entries(dialect.otherTables).filter(([name]) => !layout.has(name));
  await run(
    db,
    others.map(([, statement]) => statement),
  );
  await run(db, dialect.triggers);
  if (!isIndexed) await indexPosts(db, search, rowsPerInsert);
}

const fresh = (name: TableName) => `fresh_${name}`;
/** The number of rows that are read at once; the rows of some tables are large. */
const rowsOf = (name: TableName): number => (name === 'posts' ? 100 : name === 'images' ? 20 : 500);

async function run(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db([statement]);
}

async function insertFresh(db: Db, name: TableName, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const columns = Object.keys(TABLES[name]);
  for (const some of chunks(rows, rowsOf(name))) {
    const values = bulk(some.map((row) => columns.map((column) => row[column])));
    await db`insert into ${names(fresh(name))} (${names(...columns)}) values ${values}`;
  }
}

async function indexPosts(db: Db, search: Migrated['search'], size: number): Promise<void> {
  for await (const posts of readInBatches<Tables['posts']>(db, 'posts', size)) {
    for (const [blogId, ofBlog] of Map.groupBy(posts, ({ blog_id }) => blog_id)) {
      await search.write(db, blogId, ofBlog.map(toSearched));
    }
  }
}
