import { type Kysely, sql } from 'kysely';
import { type Tables, TRAFFIC_COLUMNS } from './tables.ts';

/** Thrown when a database was written by a newer version of Broadsheet. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** Thrown when a database has no tables of Broadsheet and none may be created. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/** The parts of the schema that differ between databases. */
export interface SchemaDialect {
  /** The type of text that is compared byte by byte. */
  readonly text: string;
  readonly bigint: string;
  readonly blob: string;
  /** Statements for what search needs, and to report changes to other processes. */
  readonly statements: readonly string[];
}

/** The statements that migrate a database from the previous version to this one. */
export type SchemaVersion = (dialect: SchemaDialect) => readonly string[];

/** Every version of the schema. A released version never changes: every change is a new version. */
export const SCHEMA_VERSIONS: readonly SchemaVersion[] = [
  ({ text, bigint, blob, statements }) => [
    `create table blogs (blog_id ${text} not null primary key, name ${text} not null, domains ${text} not null,
      revision ${text} not null, number ${bigint} not null)`,
    `create table api_keys (key_hash ${text} not null primary key, blog_id ${text} not null,
      created_at ${text} not null, revoked_at ${text})`,
    `create index api_keys_of_blog on api_keys (blog_id)`,
    `create table secrets (name ${text} not null primary key, value ${text} not null)`,
    `create table labels (blog_id ${text} not null, kind ${text} not null, id ${text} not null, name ${text} not null,
      sort_name ${text} not null, description ${text} not null, created_at ${text} not null,
      updated_at ${text} not null, posts ${bigint} not null, primary key (blog_id, kind, id))`,
    `create table posts (blog_id ${text} not null, id ${text} not null, title ${text} not null,
      subtitle ${text} not null, slug ${text} not null, status ${text} not null, published_at ${text},
      scheduled_at ${text}, author_id ${text} not null, cover_url ${text}, created_at ${text} not null,
      updated_at ${text} not null, sort_key ${text} not null, fold_title ${text} not null, json ${text} not null,
      primary key (blog_id, id))`,
    `create index posts_by_slug on posts (blog_id, slug)`,
    `create index posts_in_order on posts (blog_id, sort_key) where status = 'PUBLISHED'`,
    `create index posts_due on posts (blog_id, scheduled_at) where status = 'SCHEDULED'`,
    `create table post_labels (blog_id ${text} not null, kind ${text} not null, label_id ${text} not null,
      post_id ${text} not null, sort_key ${text}, primary key (blog_id, kind, label_id, post_id))`,
    `create index post_labels_in_order on post_labels (blog_id, kind, label_id, sort_key)
      where sort_key is not null`,
    `create index post_labels_of_post on post_labels (blog_id, post_id)`,
    `create table ads (blog_id ${text} not null, id ${text} not null, format ${text} not null,
      priority ${bigint} not null, active ${bigint} not null, starts_at ${text}, ends_at ${text}, image_url ${text},
      link_url ${text}, title ${text}, content ${text}, link_text ${text}, campaign_id ${text}, primary key (blog_id, id))`,
    `create table ad_counts (blog_id ${text} not null, day ${text} not null, ad_id ${text} not null,
      impressions ${bigint} not null, clicks ${bigint} not null,
      ${['viewable', ...TRAFFIC_COLUMNS].map((column) => `${column} ${bigint} not null default 0, `).join('')}
      primary key (blog_id, day, ad_id))`,
    `create table campaigns (blog_id ${text} not null, id ${text} not null, json ${text} not null,
      primary key (blog_id, id))`,
    `create table campaign_counts (blog_id ${text} not null, campaign_id ${text} not null, day ${text} not null,
      impressions ${bigint} not null, excluded ${bigint} not null default 0, viewable ${bigint} not null default 0,
      clicks ${bigint} not null, primary key (blog_id, campaign_id, day))`,
    `create table report_links (token_hash ${text} not null primary key, blog_id ${text} not null,
      campaign_id ${text} not null, created_at ${text} not null, expires_at ${bigint})`,
    `create index report_links_of_campaign on report_links (blog_id, campaign_id)`,
    `create table hour_counts (blog_id ${text} not null, place ${bigint} not null, hour ${bigint} not null,
      deliveries ${bigint} not null, primary key (blog_id, place))`,
    `create table placements (blog_id ${text} not null, day ${text} not null, number ${bigint} not null,
      placement ${text} not null, primary key (blog_id, day, number))`,
    `create unique index placements_by_name on placements (blog_id, day, placement)`,
    `create table placement_counts (blog_id ${text} not null, day ${text} not null, placement ${text} not null,
      ad_id ${text} not null, slots ${bigint} not null, excluded ${bigint} not null default 0,
      viewable ${bigint} not null default 0, clicks ${bigint} not null,
      primary key (blog_id, day, placement, ad_id))`,
    `create table deliveries (blog_id ${text} not null, key_hash ${text} not null, request_hash ${text} not null,
      delivery_id ${text} not null, ads ${text} not null, excluded ${bigint} not null, at ${bigint} not null,
      primary key (blog_id, key_hash))`,
    `create index deliveries_by_age on deliveries (at)`,
    `create table counted_clicks (blog_id ${text} not null, ad_id ${text} not null, visitor ${text} not null,
      at ${bigint} not null, primary key (blog_id, ad_id, visitor))`,
    `create index counted_clicks_by_age on counted_clicks (at)`,
    `create table used_tokens (blog_id ${text} not null, token_id ${text} not null, expires_at ${bigint} not null,
      primary key (blog_id, token_id))`,
    `create index used_tokens_by_age on used_tokens (expires_at)`,
    `create table viewed_tokens (blog_id ${text} not null, token_id ${text} not null, expires_at ${bigint} not null,
      primary key (blog_id, token_id))`,
    `create index viewed_tokens_by_age on viewed_tokens (expires_at)`,
    `create table people (name ${text} not null primary key, role ${text} not null, blog_id ${text},
      invited_at ${text} not null)`,
    `create table invitations (token_hash ${text} not null primary key, name ${text} not null,
      expires_at ${bigint} not null)`,
    `create table panel_sessions (token_hash ${text} not null primary key, name ${text} not null,
      expires_at ${bigint} not null)`,
    `create table management_tokens (token_hash ${text} not null primary key, name ${text} not null,
      scope ${text} not null, blog_id ${text}, created_at ${text} not null, expires_at ${bigint}, used_at ${bigint})`,
    `create unique index management_tokens_by_name on management_tokens (name)`,
    `create table uploads (session_hash ${text} not null, name ${text} not null, part ${bigint} not null,
      expires_at ${bigint} not null, content ${text} not null, primary key (session_hash, name, part))`,
    `create table panel_log (id ${text} not null primary key, at ${text} not null, who ${text} not null,
      blog_id ${text}, what ${text} not null)`,
    `create index panel_log_by_time on panel_log (at)`,
    `create table recycle_bin (blog_id ${text} not null, kind ${text} not null, id ${text} not null,
      deleted_at ${bigint} not null, title ${text} not null, json ${text} not null, cover_url ${text},
      primary key (blog_id, kind, id, deleted_at))`,
    `create index recycle_bin_by_age on recycle_bin (deleted_at)`,
    `create table images (blog_id ${text} not null, hash ${text} not null, part ${bigint} not null,
      extension ${text} not null, size ${bigint} not null, bytes ${blob} not null, primary key (blog_id, hash, part))`,
    `create index images_by_hash on images (hash, part)`,
    ...statements,
  ],
  ({ text, bigint }) => [
    `create table webhooks (blog_id ${text} not null, id ${text} not null, url ${text} not null, types ${text} not null,
      secret ${text} not null, old_secret ${text}, old_until ${bigint}, created_at ${text} not null, gone_at ${text},
      primary key (blog_id, id))`,
    `create table webhook_messages (blog_id ${text} not null, id ${text} not null, hook_id ${text} not null,
      subject ${text} not null, seq ${bigint} not null, body ${text} not null, created_at ${text} not null,
      next_at ${bigint}, attempts ${text} not null, primary key (blog_id, id))`,
    `create index webhook_messages_in_order on webhook_messages (blog_id, seq)`,
    `create index webhook_messages_due on webhook_messages (next_at, seq) where next_at is not null`,
    `create index webhook_messages_waiting on webhook_messages (blog_id, hook_id, subject, seq)
      where next_at is not null`,
    `create index webhook_messages_by_age on webhook_messages (created_at)`,
    `create table leases (name ${text} not null primary key, holder ${text} not null, beat ${bigint} not null)`,
  ],
];

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
  if (!create) throw new NotOurs('The database has no tables of Broadsheet.');
  if (tables.length === 0) return;
  const some = tables.slice(0, 3).join(', ');
  throw new NotOurs(
    `The database has tables of another program (${some}${tables.length > 3 ? ' and more' : ''}): give Broadsheet a separate database.`,
  );
}

/** Whether a database that has the table `schema_version` needs no migration. */
export async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('schema_version').select('version').executeTakeFirst();
  return row?.version === SCHEMA_VERSIONS.length;
}

/**
 * Brings the schema up to date; call it inside a transaction that holds the migration lock.
 *
 * @throws DatabaseTooNew
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SchemaDialect,
  versions: readonly SchemaVersion[] = SCHEMA_VERSIONS,
): Promise<void> {
  await sql`create table if not exists schema_version (version integer not null primary key)`.execute(db);
  const row = await db.selectFrom('schema_version').select('version').executeTakeFirst();
  const version = row?.version ?? 0;
  if (version > versions.length) {
    throw new DatabaseTooNew(
      `The database has schema version ${version}, this Broadsheet knows up to ${versions.length}: ` +
        'start the newer Broadsheet that wrote it, or choose another database.',
    );
  }
  if (version === versions.length) return;
  for (const statementsOf of versions.slice(version)) {
    for (const statement of statementsOf(dialect)) await sql.raw(statement).execute(db);
  }
  await db.deleteFrom('schema_version').execute();
  await db.insertInto('schema_version').values({ version: versions.length }).execute();
}
