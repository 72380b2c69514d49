import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Tables whose rows are copied as they are. Posts and what search makes of them are written anew. */
export type PlainTable = Exclude<keyof Tables, 'schema_version' | 'posts' | 'words'>;

/** The columns that name a row, in the order of the primary key. */
export const PRIMARY_KEYS: Readonly<Record<PlainTable, readonly string[]>> = {
  secrets: ['name'],
  blogs: ['blog_id'],
  api_keys: ['key_hash'],
  labels: ['blog_id', 'kind', 'id'],
  post_labels: ['blog_id', 'kind', 'label_id', 'post_id'],
  ads: ['blog_id', 'id'],
  ad_counts: ['blog_id', 'day', 'ad_id'],
  placements: ['blog_id', 'day', 'number'],
  placement_counts: ['blog_id', 'day', 'placement', 'ad_id'],
  counted_clicks: ['blog_id', 'ad_id', 'visitor'],
  used_tokens: ['blog_id', 'token_id'],
  people: ['name'],
  invitations: ['token_hash'],
  panel_sessions: ['session_hash'],
  panel_log: ['id'],
};

const ROWS = 500;

type Row = Record<string, unknown>;

/** Copies the rows of a table in the order of its primary key, some at a time; counts them. */
export async function copyTable(from: Kysely<Tables>, to: Kysely<Tables>, table: PlainTable): Promise<number> {
  const key = sql.join(PRIMARY_KEYS[table].map((column) => sql.ref(column)));
  let copied = 0;
  for (let after: Row | undefined; ; ) {
    const last = after && sql.join(PRIMARY_KEYS[table].map((column) => sql.val(after?.[column])));
    const below = last ? sql`where (${key}) > (${last})` : sql``;
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${below} order by ${key} limit ${ROWS}`.execute(
      from,
    );
    if (rows.length === 0) return copied;
    // Blogs are numbered anew: nothing in PostgreSQL keeps two of them from having one number.
    const written = table === 'blogs' ? rows.map((row, index) => ({ ...row, number: copied + index + 1 })) : rows;
    await to
      .insertInto(table as 'secrets')
      .values(written as unknown as Tables['secrets'][])
      .execute();
    copied += rows.length;
    after = rows.at(-1);
  }
}
