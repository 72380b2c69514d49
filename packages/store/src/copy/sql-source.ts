import { codeUnitOrder } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import { type CopySource, type PlainTable, type PostRow, PRIMARY_KEYS, type Row } from './copy-ends.ts';

const ROWS = 500;
const POSTS = 100;

/** What a snapshot of a database holds. */
export function createSqlSource(db: Kysely<Tables>): CopySource {
  return {
    async countPosts() {
      const { total } = await db
        .selectFrom('posts')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },
    rows: (table) => readRows(db, table),
    async *posts() {
      const blogs = await db.selectFrom('blogs').select('blog_id').orderBy('blog_id').execute();
      for (const { blog_id } of blogs) yield* readPosts(db, blog_id);
    },
  };
}

async function* readRows(db: Kysely<Tables>, table: PlainTable): AsyncGenerator<readonly Row[]> {
  const key = sql.join(PRIMARY_KEYS[table].map((column) => sql.ref(column)));
  for (let after: Row | undefined; ; ) {
    const last = after && sql.join(PRIMARY_KEYS[table].map((column) => sql.val(after?.[column])));
    const below = last ? sql`where (${key}) > (${last})` : sql``;
    const page = sql<Row>`select * from ${sql.table(table)} ${below} order by ${key} limit ${ROWS}`;
    const { rows } = await page.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1);
  }
}

async function* readPosts(db: Kysely<Tables>, blogId: string): AsyncGenerator<readonly PostRow[]> {
  const posts = db.selectFrom('posts').where('blog_id', '=', blogId);
  // No index has posts of every status in order, so they are put in order once, by their ids.
  const ids = await posts.select('id').orderBy('sort_key').execute();
  for (const some of chunks(ids, POSTS)) {
    const inOrder = some.map(({ id }) => id);
    const rows = await posts.selectAll().where('id', 'in', inOrder).execute();
    yield rows.toSorted((a, b) => codeUnitOrder(a.sort_key, b.sort_key));
  }
}
