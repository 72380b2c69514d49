import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { DatabaseNotEmpty } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { throwUnavailable } from '../unavailable.ts';
import { copyPosts } from './copy-posts.ts';
import { copyTable, type PlainTable, PRIMARY_KEYS } from './copy-table.ts';

/** What a copy does while it runs, and did. */
export interface CopyOptions {
  /** Counts rows of posts written, of those there are. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined;
}

/** Rows copied, by table. */
export type Copied = Readonly<Record<PlainTable | 'posts', number>>;

/**
 * Copies one database into another that is empty, with everything it holds: content, keys, counts, used tokens,
 * people and the secret of click tokens. What is copied is the source at one moment, also while it is in use; in the
 * target there is everything or nothing.
 *
 * @param from a URL as `openStore` takes it
 * @throws DatabaseNotEmpty
 * @throws NotOurs when the source has no tables of Broadsheet
 */
export async function copyDatabase(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const source = await openDatabase(from, { create: false });
  try {
    const target = await openDatabase(to);
    try {
      const copied = await copyAll(source.database, target.database, options);
      await target.database.afterBulk();
      return copied;
    } catch (error) {
      return throwUnavailable(error, (one) => source.isUnavailable(one) || target.isUnavailable(one));
    } finally {
      await target.database.close();
    }
  } finally {
    await source.database.close();
  }
}

function copyAll(source: Database, target: Database, { onProgress }: CopyOptions): Promise<Copied> {
  return source.snapshot((from) =>
    target.transactBulk(async (to) => {
      await requireEmpty(to);
      const copied: Record<string, number> = {};
      // The blogs first: search counts its numbers from theirs.
      for (const table of TABLES) copied[table] = await copyTable(from, to, table);
      copied['posts'] = await copyPosts(from, to, target, onProgress);
      return copied as Copied;
    }),
  );
}

const TABLES = Object.keys(PRIMARY_KEYS) as PlainTable[];

/** @throws DatabaseNotEmpty */
async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  for (const table of [...TABLES, 'posts'] as const) {
    const row = await db
      .selectFrom(table)
      .select(({ lit }) => lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row) {
      throw new DatabaseNotEmpty(
        `The database to copy into is not empty: there are rows in ${table}. Give one that is new.`,
      );
    }
  }
}
