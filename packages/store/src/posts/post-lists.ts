import { codeUnitOrder } from '@broadsheet/core';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Bytes, Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind, Tables } from '../tables.ts';

/** A list of published posts: all posts of a blog, or the posts with one label. */
export interface PostList {
  readonly blogId: string;
  readonly label?: { readonly kind: LabelKind; readonly id: string };
}

/** Where a page starts: below a sort key, after skipping a number of posts. */
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

interface Args extends Place {
  blogId: string;
  count: number;
  kind: LabelKind | undefined;
  labelId: string | undefined;
}

/**
 * Prepares the queries of lists. The inner query of each skips posts in an index that covers it; only the posts of the
 * page itself are read from the table.
 */
export function createPostLists({ reader: db, asBytes }: Database) {
  const post = asBytes(sql`posts.json || ','`);
  // SQLite plans a query again on every run if its limit is a bare parameter.
  const limit = (arg: Arg<Args>) => sql`limit (${arg('count')} + 0)`;
  const blogKeys = (arg: Arg<Args>) => sql`posts where blog_id = ${arg('blogId')} and status = 'PUBLISHED'`;
  const labelKeys = (arg: Arg<Args>) => sql`post_labels
    where blog_id = ${arg('blogId')} and kind = ${arg('kind')} and label_id = ${arg('labelId')} and sort_key is not null`;
  const first = (keys: typeof blogKeys, arg: Arg<Args>) => sql`(select sort_key from ${keys(arg)}
    and sort_key < ${arg('below')} order by sort_key desc limit 1 offset ${arg('skip')})`;
  const blogPosts = (arg: Arg<Args>) => sql<PostRow>`
    select sort_key, ${post} as post from ${blogKeys(arg)} and sort_key <= ${first(blogKeys, arg)}
    order by sort_key desc ${limit(arg)}`;
  const labelPosts = (arg: Arg<Args>) => sql<PostRow>`
    select post_labels.sort_key, ${post} as post from post_labels
    join posts on posts.blog_id = post_labels.blog_id and posts.id = post_labels.post_id
    where post_labels.blog_id = ${arg('blogId')} and kind = ${arg('kind')} and label_id = ${arg('labelId')}
      and post_labels.sort_key is not null and post_labels.sort_key <= ${first(labelKeys, arg)}
    order by post_labels.sort_key desc ${limit(arg)}`;
  const steps = (keys: typeof blogKeys) => (arg: Arg<Args>) =>
    sql<Pick<PostRow, 'sort_key'>>`
    with recursive step (number, sort_key) as (
      select 0, max(sort_key) from ${keys(arg)}
      union all
      select number + 1, (select sort_key from ${keys(arg)} and sort_key < step.sort_key
        order by sort_key desc limit 1 offset ${sql.lit(STEP - 1)}) from step where sort_key is not null
    )
    select sort_key from step where sort_key is not null order by number`;
  const prepare = <Row>(build: (arg: Arg<Args>) => RawBuilder<Row>) =>
    prepareRead<Args, Row>(db, (arg) => ({ compile: () => build(arg).compile(db) }));
  const posts = { blog: prepare(blogPosts), label: prepare(labelPosts) };
  const keys = { blog: prepare(steps(blogKeys)), label: prepare(steps(labelKeys)) };
  const argsOf = ({ blogId, label }: PostList) => ({ blogId, kind: label?.kind, labelId: label?.id });
  return {
    /** Up to `count` posts from a place on. */
    readPosts: (list: PostList, place: Place, count: number): Promise<readonly PostRow[]> =>
      posts[list.label ? 'label' : 'blog']({ ...argsOf(list), ...place, count }),
    /** The sort keys of the first post and of every {@link STEP}th post after it. */
    async readSteps(list: PostList): Promise<readonly string[]> {
      const rows = await keys[list.label ? 'label' : 'blog']({ ...argsOf(list), below: TOP, skip: 0, count: 0 });
      return rows.map(({ sort_key }) => sort_key);
    },
  };
}

/** Posts of every status, in the order of posts or in reverse, in batches. */
export async function* readPostsInOrder(
  db: Kysely<Tables>,
  blogId: string,
  direction: 'asc' | 'desc',
  size: number,
): AsyncGenerator<Selectable<Tables['posts']>[]> {
  const posts = db.selectFrom('posts').where('blog_id', '=', blogId);
  // No index has the posts of every status in order, so their ids are sorted once.
  const ids = await posts.select('id').orderBy('sort_key', direction).execute();
  const sign = direction === 'asc' ? 1 : -1;
  for (const some of chunks(ids, size)) {
    const wanted = some.map(({ id }) => id);
    const rows = await posts.selectAll().where('id', 'in', wanted).execute();
    yield rows.sort((a, b) => sign * codeUnitOrder(a.sort_key, b.sort_key));
  }
}
