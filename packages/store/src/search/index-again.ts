import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { PostSearch } from './post-search.ts';
import { readPostTexts } from './post-texts.ts';

/** Indexes all posts for search, which has none of them yet, in a transaction. */
export async function indexAgain(db: Kysely<Tables>, search: Pick<PostSearch, 'write'>): Promise<void> {
  for (const { blog_id: blogId } of await db.selectFrom('blogs').select('blog_id').execute()) {
    const write = await search.write(db, blogId);
    for await (const entries of readPostTexts(db, blogId)) {
      for (const [index, { words }] of (await write.columns(entries)).entries()) {
        if (words === undefined) continue;
        await sql`update posts set words = ${words}
          where blog_id = ${blogId} and id = ${entries[index]?.id}`.execute(db);
      }
      await write.index(entries);
    }
    await write.finish();
  }
}
