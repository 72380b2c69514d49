import type { Selectable } from 'kysely';
import type { Tables } from '../tables.ts';

/** Tables whose rows are copied as they are. Posts and what search makes of them are written anew; uploads are left out. */
export type PlainTable = Exclude<keyof Tables, 'schema_version' | 'posts' | 'post_texts' | 'uploads'>;

/** The columns that name a row, in the order of the primary key. The blogs come first: search counts from their numbers. */
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
  recycle_bin: ['blog_id', 'kind', 'id', 'deleted_at'],
};
export const PLAIN_TABLES = Object.keys(PRIMARY_KEYS) as PlainTable[];

/** A table whose rows a copy has. */
export type CopyTable = PlainTable | 'posts';

/** A row as both ends of a copy know it. */
export type Row = Readonly<Record<string, unknown>>;
export type PostRow = Selectable<Tables['posts']>;

/** What is copied: one moment of it. */
export interface CopySource {
  countPosts(): Promise<number>;
  /** The rows of a table in the order of its primary key, some at a time. */
  rows(table: PlainTable): AsyncIterable<readonly Row[]>;
  /** The posts of one blog after the other, those of each oldest first, which is how indexes grow best. */
  posts(): AsyncIterable<readonly PostRow[]>;
}

/** A database that a copy reads from or writes to. */
export interface CopyEnd {
  /** Opens the database for reading as it is at one moment, and closes it when the work is done. */
  read<T>(work: (source: CopySource) => Promise<T>): Promise<T>;
  /** Opens the empty database for writing; the work is undone when it rejects. @throws DatabaseNotEmpty */
  write<T>(work: (target: CopyTarget) => Promise<T>): Promise<T>;
}

/** What is copied into: nothing of it is there before it is finished. */
export interface CopyTarget {
  write(table: PlainTable, rows: readonly Row[]): Promise<void>;
  /** Posts of one blog. */
  writePosts(rows: readonly PostRow[]): Promise<void>;
  finish(): Promise<void>;
}
