import { codeUnitOrder } from '@broadsheet/core';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Bytes, Database } from '../database.ts';
import { chunks, type Db } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';

/** A list of published posts: all posts of a blog, or the posts with one label. */
export interface PostList {
  readonly blogId: string;
  readonly label?: { readonly kind: LabelKind; readonly id: string };
}

/** The start of a page: below a sort key, after skipping a number of posts. */
export interface Place {
  readonly below: string;
  readonly skip: number;
}

/** Above all sort keys. */
export const TOP = '~';

/** A post as its JSON, and its place in the order of posts. */
export interface PostRow {
  readonly post: Bytes;
  readonly sort_key: string;
}

export type PostLists = ReturnType<typeof createPostLists>;

/** The maximum number of posts that a deep page has to skip. */
export const STEP = 1000;

/**
 * The queries of lists. The inner query of each skips posts in an index that covers it; only the posts of the page itself
 * are read from the table.
 */
export function createPostLists({ reader: db, asBytes }: Database) {
  const post = raw(asBytes("posts.json || ','"));
  const keysOf = ({ blogId, label }: PostList): Sql =>
    label
      ? sql`post_labels where blog_id = ${blogId} and kind = ${label.kind} and label_id = ${label.id} and sort_key is not null`
      : sql`posts where blog_id = ${blogId} and status = 'PUBLISHED'`;
  return {
    /** Up to `count` posts, starting at a position. */
    readPosts(list: PostList, { below, skip }: Place, count: number): Promise<readonly PostRow[]> {
      const keys = keysOf(list);
      const ofLabel = sql`(select ${post} from posts
        where posts.blog_id = post_labels.blog_id and posts.id = post_labels.post_id)`;
      // SQLite plans a query again for every run if its limit is a bare parameter.
      return db`select sort_key, ${list.label ? ofLabel : post} as post from ${keys} and sort_key <= (
          select sort_key from ${keys} and sort_key < ${below} order by sort_key desc limit 1 offset ${skip})
        order by sort_key desc limit (${count} + 0)`;
    },
    /** The sort keys of the first post and of every {@link STEP}th post after it. */
    async readSteps(list: PostList): Promise<readonly string[]> {
      const keys = keysOf(list);
      const rows = await db<Pick<PostRow, 'sort_key'>>`with recursive step (number, sort_key) as (
          select 0, max(sort_key) from ${keys}
          union all
          select number + 1, (select sort_key from ${keys} and sort_key < step.sort_key
            order by sort_key desc limit 1 offset ${STEP - 1}) from step where sort_key is not null
        )
        select sort_key from step where sort_key is not null order by number`;
      return rows.map(({ sort_key }) => sort_key);
    },
  };
}

/** Posts of every status, in the order of posts, in batches. */
export async function* readPostsInOrder(db: Db, blogId: string, size: number): AsyncGenerator<Tables['posts'][]> {
  // No index has the posts of every status in order, so their ids are sorted once.
  const ids = await db<{ id: string }>`select id from posts where blog_id = ${blogId} order by sort_key desc`;
  for (const some of chunks(ids, size)) {
    const wanted = some.map(({ id }) => id);
    const rows = await db<Tables['posts']>`select * from posts where blog_id = ${blogId} and id in (${join(wanted)})`;
    yield rows.sort((a, b) => codeUnitOrder(b.sort_key, a.sort_key));
  }
}
