import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { SearchEntry } from './post-search.ts';

const ROWS = 1000;

/** Reads what search needs of all published posts of a blog, in ascending order, some at a time. */
export async function* readPostTexts(db: Kysely<Tables>, blogId: string): AsyncGenerator<SearchEntry[]> {
  let after = '';
  for (;;) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'sort_key', 'fold_title', 'fold_subtitle'])
      .where('blog_id', '=', blogId)
      .where('status', '=', sql.lit('PUBLISHED' as const))
      .where('sort_key', '>', after)
      .orderBy('sort_key')
      .limit(ROWS)
      .execute();
    if (rows.length > 0) yield rows.map((row) => ({ ...row, published: true, before: undefined }));
    const last = rows.at(-1);
    if (!last || rows.length < ROWS) return;
    after = last.sort_key;
  }
}
