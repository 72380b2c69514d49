import type { Kysely } from 'kysely';
import { isDeployment } from '../management/management-client.ts';
import { type OpenDatabase, openDatabase } from '../open-database.ts';
import { DatabaseNotEmpty } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { throwUnavailable } from '../unavailable.ts';
import { type CopySource, type CopyTarget, PLAIN_TABLES, type PlainTable } from './copy-ends.ts';
import { withDeploymentSource, withDeploymentTarget } from './deployment.ts';
import { createSqlSource } from './sql-source.ts';
import { createSqlTarget } from './sql-target.ts';

/** What a copy does while it runs, and did. */
export interface CopyOptions {
  /** The token of a deployment, where one is copied from or into. */
  readonly token?: string | undefined;
  /** Counts rows of posts written, of those there are. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined;
}

/** Rows copied, by table. */
export type Copied = Readonly<Record<PlainTable | 'posts', number>>;

/**
 * Copies one database into another that is empty, with everything it holds: content, keys, counts, used tokens,
 * people and the secret of click tokens. What is copied is the source at one moment, also while it is in use; in the
 * target there is everything or nothing. A deployment is at one moment for each of its blogs.
 *
 * @param from a URL as `openStore` takes it, or the address of a deployment
 * @throws DatabaseNotEmpty
 * @throws NotOurs when the source has no tables of Broadsheet
 */
export function copyDatabase(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  return withSource(from, options, (source) =>
    withTarget(to, options, (target) => copyAll(source, target, options.onProgress)),
  );
}

async function copyAll(source: CopySource, target: CopyTarget, onProgress: CopyOptions['onProgress']): Promise<Copied> {
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

async function withSource<T>(
  url: string,
  { token }: CopyOptions,
  work: (source: CopySource) => Promise<T>,
): Promise<T> {
  if (isDeployment(url)) return withDeploymentSource(url, token, work);
  return withOpen(await openDatabase(url, { create: false }), ({ database }) =>
    database.snapshot((from) => work(createSqlSource(from))),
  );
}

async function withTarget<T>(
  url: string,
  { token }: CopyOptions,
  work: (target: CopyTarget) => Promise<T>,
): Promise<T> {
  if (isDeployment(url)) return withDeploymentTarget(url, token, work);
  return withOpen(await openDatabase(url), async ({ database }) => {
    const result = await database.transactBulk(async (to) => {
      await requireEmpty(to);
      return work(createSqlTarget(to, database));
    });
    await database.afterBulk();
    return result;
  });
}

async function withOpen<T>(open: OpenDatabase, work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  try {
    return await work(open);
  } catch (error) {
    return throwUnavailable(error, open.isUnavailable);
  } finally {
    await open.database.close();
  }
}

/** @throws DatabaseNotEmpty */
async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  for (const table of [...PLAIN_TABLES, 'posts'] as const) {
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
