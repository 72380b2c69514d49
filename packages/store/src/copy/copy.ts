import type { Selectable } from 'kysely';
import { PRIMARY_KEYS, type Tables } from '../tables.ts';

/** Tables whose rows are copied as they are. Posts and what search makes of them are written anew; uploads are left out. */
export type PlainTable = Exclude<keyof Tables, 'schema_version' | 'posts' | 'post_texts' | 'uploads'>;

export const PLAIN_TABLES = (Object.keys(PRIMARY_KEYS) as (keyof typeof PRIMARY_KEYS)[]).filter(
  (table): table is PlainTable => table !== 'posts' && table !== 'post_texts',
);

/** Blogs that an error names. */
const NAMED = 10;

/** Thrown when a database that is to be copied into has blogs. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';

  /** @param what the database, as the beginning of a sentence */
  constructor(what: string, blogs: readonly string[]) {
    const more = blogs.length > NAMED ? ` and ${blogs.length - NAMED} more` : '';
    const named = `${blogs.length === 1 ? 'the blog' : 'the blogs'} ${blogs.slice(0, NAMED).join(', ')}${more}`;
    super(`${what} is not empty: it has ${named}. Choose one without blogs.`);
  }
}

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

/** Rows copied, by table. */
export type Copied = Readonly<Record<CopyTable, number>>;

/** Takes the number of posts written and of those there are. */
export type CopyProgress = (written: number, total: number) => void;

/**
 * Copies one database into another that is empty, with everything it holds: content, keys, counts, used tokens,
 * people and the secret of click tokens. What is copied is the source at one moment, also while it is in use; in the
 * target there is everything or nothing.
 *
 * @throws DatabaseNotEmpty
 * @throws NotOurs when the source has no tables of Broadsheet
 */
export function copyDatabase(from: CopyEnd, to: CopyEnd, onProgress?: CopyProgress): Promise<Copied> {
  return from.read((source) => to.write((target) => copyAll(source, target, onProgress)));
}

async function copyAll(source: CopySource, target: CopyTarget, onProgress?: CopyProgress): Promise<Copied> {
  const copied: Record<string, number> = {};
  for (const table of PLAIN_TABLES) {
    copied[table] = 0;
    for await (const rows of source.rows(table)) {
      await target.write(table, rows);
      copied[table] += rows.length;
    }
  }
  const total = await source.countPosts();
  copied['posts'] = 0;
  for await (const rows of source.posts()) {
    await target.writePosts(rows);
    copied['posts'] += rows.length;
    onProgress?.(copied['posts'], total);
  }
  await target.finish();
  return copied as Copied;
}
