import type { Post } from '@broadsheet/contract';
import type { Encoded } from '@broadsheet/core';
import { sql } from 'kysely';
import type { Bytes, Database } from './database.ts';
import { type Arg, prepareRead } from './prepared.ts';
import { encoded } from './shown-post.ts';
import type { LabelKind } from './tables.ts';

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

/** Reads lists of posts in order. */
export interface PostLists {
  page(list: PostList, place: Place, limit: number): Promise<Encoded<readonly Post[]>>;
  /** The sort key of one post, or `undefined` past the end. */
  keyAt(list: PostList, place: Place): Promise<string | undefined>;
}

/** Where every list starts: above all sort keys. */
export const TOP = '~';

interface PageArgs extends Place {
  blogId: string;
  limit: number;
}
interface LabelPageArgs extends PageArgs {
  kind: LabelKind;
  labelId: string;
}

/**
 * Prepares the queries of lists. Each finds the key at which the page starts in an index alone, then reads the page,
 * which the database joins into the JSON of a list: posts are kept as they are shown.
 */
export function createPostLists({ reader: db, ready, asBytes }: Database): PostLists {
  const published = sql.lit('PUBLISHED' as const);
  const number = (value: number) => sql<number>`${value}`;
  const joined = asBytes(sql<string>`'[' || coalesce(string_agg(shown, ','), '') || ']'`).as('posts');

  const blogKey = (arg: Arg<PageArgs>) =>
    db
      .selectFrom('posts')
      .select('sort_key')
      .where('blog_id', '=', arg('blogId'))
      .where('status', '=', published)
      .where('sort_key', '<=', arg('from'))
      .orderBy('sort_key', 'desc')
      .limit(1)
      .offset(number(arg('skip')));
  const blogPage = (arg: Arg<PageArgs>) => {
    const page = db
      .selectFrom('posts')
      .select('shown')
      .where('posts.blog_id', '=', arg('blogId'))
      .where('posts.status', '=', published)
      .where('posts.sort_key', '<=', blogKey(arg))
      .orderBy('posts.sort_key', 'desc')
      .limit(number(arg('limit')));
    return db.selectFrom(page.as('page')).select(joined);
  };
  const labelKey = (arg: Arg<LabelPageArgs>) =>
    db
      .selectFrom('post_labels')
      .select('sort_key')
      .where('blog_id', '=', arg('blogId'))
      .where('kind', '=', arg('kind'))
      .where('label_id', '=', arg('labelId'))
      .where('sort_key', 'is not', null)
      .where('sort_key', '<=', arg('from'))
      .orderBy('sort_key', 'desc')
      .limit(1)
      .offset(number(arg('skip')));
  const labelPage = (arg: Arg<LabelPageArgs>) => {
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
      .where('post_labels.sort_key', '<=', labelKey(arg))
      .orderBy('post_labels.sort_key', 'desc')
      .limit(number(arg('limit')));
    return db.selectFrom(page.as('page')).select(joined);
  };

  const queries = {
    blogKey: prepareRead<PageArgs, { sort_key: string }>(ready, blogKey),
    blogPage: prepareRead<PageArgs, { posts: Bytes }>(ready, blogPage),
    labelKey: prepareRead<LabelPageArgs, { sort_key: string | null }>(ready, labelKey),
    labelPage: prepareRead<LabelPageArgs, { posts: Bytes }>(ready, labelPage),
  };
  return {
    async page({ blogId, label }, { from, skip }, limit) {
      const args = { blogId, limit, from, skip };
      const [row] = label
        ? await queries.labelPage({ ...args, kind: label.kind, labelId: label.id })
        : await queries.blogPage(args);
      return encoded(row?.posts ?? '[]');
    },
    async keyAt({ blogId, label }, { from, skip }) {
      const args = { blogId, limit: 1, from, skip };
      const [row] = label
        ? await queries.labelKey({ ...args, kind: label.kind, labelId: label.id })
        : await queries.blogKey(args);
      return row?.sort_key ?? undefined;
    },
  };
}
