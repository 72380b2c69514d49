import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import { toEntry } from '../posts/post-writes.ts';
import type { Tables } from '../tables.ts';

type PostRow = Selectable<Tables['posts']>;

/** Copies the posts of every blog, and indexes them for search as the target does it; counts them. */
export async function copyPosts(
  from: Kysely<Tables>,
  to: Kysely<Tables>,
  { search, rowsPerInsert, duringBulk }: Pick<Database, 'search' | 'rowsPerInsert' | 'duringBulk'>,
  onProgress?: (written: number, total: number) => void,
): Promise<number> {
  const { total } = await from
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let written = 0;
  for (const { blog_id: blogId } of await from.selectFrom('blogs').select('blog_id').orderBy('blog_id').execute()) {
    const write = await search.write(to, blogId);
    for await (const posts of readPosts(from, blogId, rowsPerInsert)) {
      const plain = posts.map(({ words: _, ...row }) => ({ ...row, search_row: null }));
      const entries = plain.map((row) => toEntry(row, undefined));
      const columns = await write.columns(entries);
      const rows = plain.map((row, index) => ({ ...row, ...columns[index] }));
      await to.insertInto('posts').values(rows).execute();
      await write.index(entries);
      written += rows.length;
      onProgress?.(written, total);
    }
    await write.finish();
  }
  if (written > 0) await duringBulk(to);
  return written;
}

/** The posts of a blog, oldest first, which is how indexes grow best. */
async function* readPosts(db: Kysely<Tables>, blogId: string, limit: number): AsyncGenerator<PostRow[]> {
  for (let after: PostRow | undefined; ; ) {
    const { rows } = await sql<PostRow>`select * from posts where blog_id = ${blogId}
      ${after ? sql`and (sort_key, id) > (${after.sort_key}, ${after.id})` : sql``}
      order by sort_key, id limit ${limit}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1);
  }
}
