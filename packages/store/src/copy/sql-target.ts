import type { Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Database } from '../database.ts';
import { toEntry } from '../posts/post-writes.ts';
import type { SearchWrite } from '../search/post-search.ts';
import type { Tables } from '../tables.ts';
import type { CopyTarget, PostRow } from './copy-ends.ts';

/** An empty database that is written in a transaction; it indexes posts for search in its own way. */
export function createSqlTarget(
  db: Kysely<Tables>,
  { search, rowsPerInsert, duringBulk }: Pick<Database, 'search' | 'rowsPerInsert' | 'duringBulk'>,
): CopyTarget {
  let blogs = 0;
  let posts = 0;
  let open: { readonly blogId: string; readonly write: SearchWrite } | undefined;

  async function searchOf(blogId: string): Promise<SearchWrite> {
    if (open?.blogId === blogId) return open.write;
    await open?.write.finish();
    open = { blogId, write: await search.write(db, blogId) };
    return open.write;
  }

  async function writeSome(some: readonly PostRow[], write: SearchWrite): Promise<void> {
    const plain = some.map(({ words: _, ...row }) => ({ ...row, search_row: null }));
    const entries = plain.map((row) => toEntry(row, undefined));
    const columns = await write.columns(entries);
    const rows = plain.map((row, index) => ({ ...row, ...columns[index] }));
    await db.insertInto('posts').values(rows).execute();
    await write.index(entries);
  }

  return {
    async write(table, rows) {
      // Blogs are numbered anew: nothing in PostgreSQL keeps two of them from having one number.
      const written = table === 'blogs' ? rows.map((row) => ({ ...row, number: ++blogs })) : rows;
      await db
        .insertInto(table as 'secrets')
        .values(written as unknown as Tables['secrets'][])
        .execute();
    },
    async writePosts(rows) {
      const [first] = rows;
      if (!first) return;
      const write = await searchOf(first.blog_id);
      for (const some of chunks(rows, rowsPerInsert)) await writeSome(some, write);
      posts += rows.length;
    },
    async finish() {
      await open?.write.finish();
      open = undefined;
      if (posts > 0) await duringBulk(db);
    },
  };
}
