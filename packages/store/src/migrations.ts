import type { Db } from './sql.ts';
import { CLUSTERED, type Column, primaryKey, TABLES, type TableName } from './tables.ts';

/** Thrown if a database was written by a newer version of Broadsheet. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

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

/** The parts of the schema that differ between databases. */
export interface SchemaDialect {
  /** The type of text that is compared byte by byte. */
  readonly text: string;
  readonly bigint: string;
  readonly blob: string;
  /** The clause after a table whose rows are stored in the order of its primary key, if the database supports that. */
  readonly clustered: string;
  /** Statements for the objects that search needs, and to report changes to other processes. */
  readonly statements: readonly string[];
}

/** The statements that migrate a database to the next version. */
export type Migration = (dialect: SchemaDialect) => readonly string[];

/** The migrations of older databases; a new database gets {@link TABLES}. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [];

const INDEXES = [
  'index api_keys_of_blog on api_keys (blog_id)',
  'index posts_by_slug on posts (blog_id, slug)',
  "index posts_in_order on posts (blog_id, sort_key) where status = 'PUBLISHED'",
  "index posts_due on posts (blog_id, scheduled_at) where status = 'SCHEDULED'",
  'index post_labels_in_order on post_labels (blog_id, kind, label_id, sort_key) where sort_key is not null',
  'index post_labels_of_post on post_labels (blog_id, post_id)',
  'index report_links_of_campaign on report_links (blog_id, campaign_id)',
  'unique index placements_by_name on placements (blog_id, day, placement)',
  'index deliveries_by_age on deliveries (at)',
  'index counted_clicks_by_age on counted_clicks (at)',
  'index used_tokens_by_age on used_tokens (expires_at)',
  'index viewed_tokens_by_age on viewed_tokens (expires_at)',
  'index panel_log_by_time on panel_log (at)',
  'unique index management_tokens_by_name on management_tokens (name)',
  'index recycle_bin_by_age on recycle_bin (deleted_at)',
  'index webhook_messages_in_order on webhook_messages (blog_id, seq)',
  'index webhook_messages_due on webhook_messages (next_at) where next_at is not null',
  'index webhook_messages_of_hook on webhook_messages (blog_id, hook_id, next_at, seq) where next_at is not null',
  'index webhook_messages_waiting on webhook_messages (blog_id, hook_id, subject, seq) where next_at is not null',
  'index webhook_messages_by_age on webhook_messages (created_at)',
  'index images_by_hash on images (hash, part)',
];

/** The statements that create the schema; the statements of the dialect create `post_texts`, with its search index. */
function createSchema(dialect: SchemaDialect): string[] {
  const tables = (Object.keys(TABLES) as TableName[]).filter((name) => name !== 'post_texts');
  const create = tables.map((name) => {
    const columns = Object.entries<Column>(TABLES[name]).map(([column, { type, isNullable, default: value }]) => {
      const fallback = value === undefined ? '' : ` default ${value}`;
      return `${column} ${dialect[type]}${isNullable ? '' : ' not null'}${fallback}`;
    });
    const end = CLUSTERED.has(name) ? dialect.clustered : '';
    return `create table ${name} (${columns.join(', ')}, primary key (${primaryKey(name).join(', ')}))${end}`;
  });
  return [...create, ...INDEXES.map((index) => `create ${index}`), ...dialect.statements];
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

/** Whether a database that has the table `schema_version` needs no migration. */
export async function isUpToDate(db: Db): Promise<boolean> {
  return (await readVersion(db)) === 1 + MIGRATIONS.length;
}

/**
 * Brings the schema up to date; call it inside a transaction that holds the migration lock.
 *
 * @throws DatabaseTooNew
 */
export async function migrate(
  db: Db,
  dialect: SchemaDialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await db`create table if not exists schema_version (version integer not null primary key)`;
  const version = await readVersion(db);
  const latest = 1 + migrations.length;
  if (version > latest) {
    throw new DatabaseTooNew(
      `The database has schema version ${version}, this Broadsheet supports up to ${latest}: ` +
        'start the newer Broadsheet that wrote it, or choose another database.',
    );
  }
  if (version === latest) return;
  const steps = version === 0 ? [createSchema] : migrations.slice(version - 1);
  for (const statement of steps.flatMap((step) => step(dialect))) await db([statement]);
  await db`delete from schema_version`;
  await db`insert into schema_version (version) values (${latest})`;
}

/** The version of the schema; 0 for a new database. */
const readVersion = async (db: Db): Promise<number> =>
  (await db<{ version: number }>`select version from schema_version`)[0]?.version ?? 0;
