import { type Awaitable, codeUnitOrder } from '@broadsheet/core';
import { type Kysely, type Selectable, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Bytes, Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind, Tables } from '../tables.ts';

/** A list of published posts: all of a blog, or those with one label. */
export interface PostList {
  readonly blogId: string;
  readonly label?: { readonly kind: LabelKind; readonly id: string };
}

/** Where a page starts: below a sort key, and below so many posts more. */
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

/** Reads posts of a list in their order, `count` of them or those there are. */
export type ReadPosts = (list: PostList, place: Place, count: number) => Awaitable<readonly PostRow[]>;

interface BlogArgs extends Place {
  blogId: string;
  count: number;
}
interface LabelArgs extends BlogArgs {
  kind: LabelKind;
  labelId: string;
}

/**
 * Prepares the queries of lists. The inner query of each skips posts in an index that covers it; only the posts of the
 * page itself are read from the table.
 */
export function createPostLists({ reader: db, ready, asBytes }: Database): ReadPosts {
  const post = asBytes(sql`posts.json`);
  // SQLite plans a query anew at every run when a bare parameter is its limit.
  const limit = (count: number) => sql`limit (${count} + 0)`;
  const blogPosts = (arg: Arg<BlogArgs>) => sql<PostRow>`
    select sort_key, ${post} as post from posts
    where blog_id = ${arg('blogId')} and status = 'PUBLISHED' and sort_key <= (
      select sort_key from posts
      where blog_id = ${arg('blogId')} and status = 'PUBLISHED' and sort_key < ${arg('below')}
      order by sort_key desc limit 1 offset ${arg('skip')}
    )
    order by sort_key desc ${limit(arg('count'))}`;
  const labelPosts = (arg: Arg<LabelArgs>) => sql<PostRow>`
    select post_labels.sort_key, ${post} as post from post_labels
    join posts on posts.blog_id = post_labels.blog_id and posts.id = post_labels.post_id
    where post_labels.blog_id = ${arg('blogId')} and kind = ${arg('kind')} and label_id = ${arg('labelId')}
      and post_labels.sort_key is not null and post_labels.sort_key <= (
        select sort_key from post_labels
        where blog_id = ${arg('blogId')} and kind = ${arg('kind')} and label_id = ${arg('labelId')}
          and sort_key is not null and sort_key < ${arg('below')}
        order by sort_key desc limit 1 offset ${arg('skip')}
      )
    order by post_labels.sort_key desc ${limit(arg('count'))}`;
  const readBlog = prepareRead<BlogArgs, PostRow>(ready, (arg) => ({ compile: () => blogPosts(arg).compile(db) }));
  const readLabel = prepareRead<LabelArgs, PostRow>(ready, (arg) => ({ compile: () => labelPosts(arg).compile(db) }));
  return ({ blogId, label }, place, count) =>
    label
      ? readLabel({ blogId, ...place, count, kind: label.kind, labelId: label.id })
      : readBlog({ blogId, ...place, count });
}

/** Posts of every status in the order of posts or against it, some at a time. */
export async function* readPostsInOrder(
  db: Kysely<Tables>,
  blogId: string,
  direction: 'asc' | 'desc',
  size: number,
): AsyncGenerator<Selectable<Tables['posts']>[]> {
  const posts = db.selectFrom('posts').where('blog_id', '=', blogId);
  // No index has posts of every status in order, so they are put in order once, by their ids.
  const ids = await posts.select('id').orderBy('sort_key', direction).execute();
  const sign = direction === 'asc' ? 1 : -1;
  for (const some of chunks(ids, size)) {
    const rows = posts.selectAll().where(
      'id',
      'in',
      some.map(({ id }) => id),
    );
    yield (await rows.execute()).sort((a, b) => sign * codeUnitOrder(a.sort_key, b.sort_key));
  }
}
