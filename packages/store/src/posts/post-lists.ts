import type { Awaitable } from '@broadsheet/core';
import { type Expression, sql } from 'kysely';
import type { Bytes, Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind } from '../tables.ts';

/** A list of published posts: all of a blog, or those with one label. */
export interface PostList {
  readonly blogId: string;
  readonly label?: { readonly kind: LabelKind; readonly id: string };
}

/** A place in the order of posts and how many posts below it are meant. */
export interface Place {
  readonly from: string;
  readonly skip: number;
}

/** Posts that follow each other as JSON, joined by commas, and the bytes of each; one by one where a database does not join. */
export interface PostRow {
  readonly posts: Bytes;
  /** Numbers joined by commas, or one; `null` of no posts. */
  readonly sizes: string | number | null;
}

/** Reads lists of posts in order. */
export interface PostLists {
  page(list: PostList, place: Place, count: number): Awaitable<readonly PostRow[]>;
  /** The sort keys `skip` posts below a place, as many again below that and so on, `count` of them or to the end. */
  keysBelow(list: PostList, place: Place, count: number): Promise<readonly string[]>;
}

/** Where every list starts: above all sort keys. */
export const TOP = '~';

interface BlogArgs extends Place {
  blogId: string;
  count: number;
}
interface LabelArgs extends BlogArgs {
  kind: LabelKind;
  labelId: string;
}
/** A sort key, given or found. */
type From = string | Expression<string>;

/**
 * Prepares the queries of lists. Each finds the key at which the page starts in an index alone, then reads the page,
 * which the database joins into the JSON of a list where it can: posts are stored as they are sent.
 */
export function createPostLists({ reader: db, ready, asBytes, joinsLists }: Database): PostLists {
  const published = sql.lit('PUBLISHED' as const);
  const number = (value: number) => sql<number>`${value}`;
  // SQLite plans a query anew at every run when a bare parameter is its limit.
  const limit = (value: number) => sql<number>`(${value} + 0)`;
  const posts = joinsLists ? asBytes(sql<string>`coalesce(string_agg(shown, ','), '')`) : sql<string>`shown`;
  const size = sql<PostRow['sizes']>`octet_length(shown)`;
  const sizes = joinsLists ? sql<PostRow['sizes']>`string_agg(cast(${size} as text), ',')` : size;
  const listed = [posts.as('posts'), sizes.as('sizes')] as const;

  const blogKey = (arg: Arg<BlogArgs>, from: From) =>
    db
      .selectFrom('posts')
      .select('sort_key')
      .where('blog_id', '=', arg('blogId'))
      .where('status', '=', published)
      .where('sort_key', '<=', from)
      .orderBy('sort_key', 'desc')
      .limit(1)
      .offset(number(arg('skip')));
  const blogPage = (arg: Arg<BlogArgs>) => {
    const page = db
      .selectFrom('posts')
      .select('shown')
      .where('posts.blog_id', '=', arg('blogId'))
      .where('posts.status', '=', published)
      .where('posts.sort_key', '<=', blogKey(arg, arg('from')))
      .orderBy('posts.sort_key', 'desc')
      .limit(limit(arg('count')));
    return db.selectFrom(page.as('page')).select(listed);
  };
  const labelKey = (arg: Arg<LabelArgs>, from: From) =>
    db
      .selectFrom('post_labels')
      .select('sort_key')
      .where('blog_id', '=', arg('blogId'))
      .where('kind', '=', arg('kind'))
      .where('label_id', '=', arg('labelId'))
      .where('sort_key', 'is not', null)
      .where('sort_key', '<=', from)
      .orderBy('sort_key', 'desc')
      .limit(1)
      .offset(number(arg('skip')));
  const labelPage = (arg: Arg<LabelArgs>) => {
    const page = db
      .selectFrom('post_labels')
      .innerJoin('posts', (join) =>
        join.onRef('posts.blog_id', '=', 'post_labels.blog_id').onRef('posts.id', '=', 'post_labels.post_id'),
      )
      .select('shown')
      .where('post_labels.blog_id', '=', arg('blogId'))
      .where('post_labels.kind', '=', arg('kind'))
      .where('post_labels.label_id', '=', arg('labelId'))
      .where('post_labels.sort_key', 'is not', null)
      .where('post_labels.sort_key', '<=', labelKey(arg, arg('from')))
      .orderBy('post_labels.sort_key', 'desc')
      .limit(limit(arg('count')));
    return db.selectFrom(page.as('page')).select(listed);
  };
  /** Goes down from key to key inside the database. */
  const keysDown =
    <Args extends BlogArgs>(keyBelow: (arg: Arg<Args>, from: From) => Expression<unknown>) =>
    (arg: Arg<Args>) => ({
      compile: () =>
        sql<{ key: string }>`
          with recursive keys(key, number) as (
            select (${keyBelow(arg, arg('from'))}), 1
            union all
            select (${keyBelow(arg, sql.ref('keys.key'))}), number + 1 from keys
            where key is not null and number < ${arg('count')}
          )
          select key from keys where key is not null order by number`.compile(db),
    });

  const queries = {
    blogPage: prepareRead<BlogArgs, PostRow>(ready, blogPage),
    blogKeys: prepareRead<BlogArgs, { key: string }>(ready, keysDown(blogKey)),
    labelPage: prepareRead<LabelArgs, PostRow>(ready, labelPage),
    labelKeys: prepareRead<LabelArgs, { key: string }>(ready, keysDown(labelKey)),
  };
  return {
    page({ blogId, label }, { from, skip }, count) {
      const args = { blogId, from, skip, count };
      return label ? queries.labelPage({ ...args, kind: label.kind, labelId: label.id }) : queries.blogPage(args);
    },
    async keysBelow({ blogId, label }, { from, skip }, count) {
      const args = { blogId, from, skip, count };
      const rows = label
        ? await queries.labelKeys({ ...args, kind: label.kind, labelId: label.id })
        : await queries.blogKeys(args);
      return rows.map(({ key }) => key);
    },
  };
}
