import { sha256Hex } from '../blogs/api-key.ts';
import type { Db } from '../sql.ts';
import { CLUSTERED, type Column, primaryKey, TABLES, type TableName } from '../tables.ts';

/** The parts of the schema that differ between databases. */
export interface SchemaDialect {
  readonly engine: 'SQLite' | 'PostgreSQL';
  /** The type of text that is compared byte by byte. */
  readonly text: string;
  readonly bigint: string;
  readonly blob: string;
  /** The clause after a table whose rows are stored in the order of its primary key, if the database supports that. */
  readonly clustered: string;
  /** The tables of search and their indexes, among them `post_texts`. */
  readonly search: readonly string[];
  /** The tables that the statements of search create, in the order in which they can be dropped. */
  readonly searchTables: readonly string[];
  /** The statements for tables that only this database has, by their names. A change of such a table gets another name. */
  readonly otherTables: Readonly<Record<string, string>>;
  /** Statements for triggers, and those that drop triggers of any version. */
  readonly triggers: readonly string[];
  readonly dropTriggers: readonly string[];
  /** A query for the tables of Broadsheet: a row for each `column_name` of a `table_name`, with its `is_clustered`. */
  readonly layout: readonly string[];
  /** The statement after a new table got its name, if its index has a name of its own. */
  renameKey?(from: string, to: string): string;
}

/** The indexes by their names. */
const INDEXES: Readonly<Record<string, { readonly on: string; readonly isUnique?: true }>> = {
  api_keys_of_blog: { on: 'api_keys (blog_id)' },
  posts_by_slug: { on: 'posts (blog_id, slug)' },
  posts_in_order: { on: "posts (blog_id, sort_key) where status = 'PUBLISHED'" },
  posts_due: { on: "posts (blog_id, scheduled_at) where status = 'SCHEDULED'" },
  post_labels_in_order: { on: 'post_labels (blog_id, kind, label_id, sort_key) where sort_key is not null' },
  post_labels_of_post: { on: 'post_labels (blog_id, post_id)' },
  report_links_of_campaign: { on: 'report_links (blog_id, campaign_id)' },
  placements_by_name: { on: 'placements (blog_id, day, placement)', isUnique: true },
  deliveries_by_age: { on: 'deliveries (at)' },
  counted_clicks_by_age: { on: 'counted_clicks (at)' },
  used_tokens_by_age: { on: 'used_tokens (expires_at)' },
  viewed_tokens_by_age: { on: 'viewed_tokens (expires_at)' },
  panel_log_by_time: { on: 'panel_log (at)' },
  management_tokens_by_name: { on: 'management_tokens (name)', isUnique: true },
  recycle_bin_by_age: { on: 'recycle_bin (deleted_at)' },
  webhook_messages_in_order: { on: 'webhook_messages (blog_id, seq)' },
  webhook_messages_due: { on: 'webhook_messages (next_at) where next_at is not null' },
  webhook_messages_of_hook: {
    on: 'webhook_messages (blog_id, hook_id, next_at, seq) where next_at is not null',
  },
  webhook_messages_waiting: {
    on: 'webhook_messages (blog_id, hook_id, subject, seq) where next_at is not null',
  },
  webhook_messages_by_age: { on: 'webhook_messages (created_at)' },
  images_by_hash: { on: 'images (hash, part)' },
};

/** The tables that are created from their columns; the statements of the dialect create `post_texts`. */
export const CREATED_TABLES = (Object.keys(TABLES) as TableName[]).filter((name) => name !== 'post_texts');

/** @param as the name that the table gets */
export function createTable(dialect: SchemaDialect, name: TableName, as: string = name): string {
  const columns = Object.entries<Column>(TABLES[name]).map(([column, { type, isNullable, default: value }]) => {
    const fallback = value === undefined ? '' : ` default ${value}`;
    return `${column} ${dialect[type]}${isNullable ? '' : ' not null'}${fallback}`;
  });
  const end = CLUSTERED.has(name) ? dialect.clustered : '';
  return `create table ${as} (${columns.join(', ')}, primary key (${primaryKey(name).join(', ')}))${end}`;
}

export const createIndexes = (): string[] =>
  Object.entries(INDEXES).map(
    ([name, { on, isUnique }]) => `create ${isUnique ? 'unique ' : ''}index ${name} on ${on}`,
  );

export const dropIndexes = (): string[] => Object.keys(INDEXES).map((name) => `drop index if exists ${name}`);

/** The statements that create the schema. */
export const createSchema = (dialect: SchemaDialect): string[] => [
  ...CREATED_TABLES.map((name) => createTable(dialect, name)),
  ...createIndexes(),
  ...dialect.search,
  ...Object.values(dialect.otherTables),
  ...dialect.triggers,
];

/** The hash of the statements that create the schema: it changes with each of them. */
export const schemaHash = (dialect: SchemaDialect): Promise<string> => sha256Hex(createSchema(dialect).join(';\n'));

/** The tables of an existing database with their columns in order, and whether their rows are in the order of the key. */
export type Layout = ReadonlyMap<string, { readonly columns: readonly string[]; readonly isClustered: boolean }>;

/** Reads the layout of a database, which may be older. */
export async function readLayout(db: Db, dialect: SchemaDialect): Promise<Layout> {
  const rows = await db<{ table_name: string; column_name: string; is_clustered: number }>(dialect.layout);
  return new Map(
    [...Map.groupBy(rows, (row) => row.table_name)].map(([name, columns]) => [
      name,
      { columns: columns.map((row) => row.column_name), isClustered: columns[0]?.is_clustered === 1 },
    ]),
  );
}

/** Whether a table of a database is as the current version creates it. */
export function isCurrent(layout: Layout, dialect: SchemaDialect, name: TableName): boolean {
  const table = layout.get(name);
  const isClustered = dialect.clustered !== '' && CLUSTERED.has(name);
  return table?.columns.join() === Object.keys(TABLES[name]).join() && table.isClustered === isClustered;
}
