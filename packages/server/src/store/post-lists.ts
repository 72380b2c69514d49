import type { Post } from '@broadsheet/contract';
import { type Kysely, sql } from 'kysely';
import { POST_COLUMNS, type PostRow, toPost } from './post-columns.ts';
import { type Arg, prepare } from './prepared.ts';
import type { LabelKind, Tables } from './tables.ts';

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
  page(list: PostList, place: Place, limit: number): Promise<Post[]>;
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

/** Prepares the queries of lists. Each finds the key at which the page starts in an index alone, then reads the page. */
export function createPostLists(db: Kysely<Tables>): PostLists {
  const published = sql.lit('PUBLISHED' as const);
  const number = (value: number) => sql<number>`${value}`;

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
  const blogPage = (arg: Arg<PageArgs>) =>
    db
      .selectFrom('posts')
      .select(POST_COLUMNS)
      .where('posts.blog_id', '=', arg('blogId'))
      .where('posts.status', '=', published)
      .where('posts.sort_key', '<=', blogKey(arg))
      .orderBy('posts.sort_key', 'desc')
      .limit(number(arg('limit')));
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
  const labelPage = (arg: Arg<LabelPageArgs>) =>
    db
      .selectFrom('post_labels')
      .innerJoin('posts', (join) =>
        join.onRef('posts.blog_id', '=', 'post_labels.blog_id').onRef('posts.id', '=', 'post_labels.post_id'),
      )
      .select(POST_COLUMNS)
      .where('post_labels.blog_id', '=', arg('blogId'))
      .where('post_labels.kind', '=', arg('kind'))
      .where('post_labels.label_id', '=', arg('labelId'))
      .where('post_labels.sort_key', 'is not', null)
      .where('post_labels.sort_key', '<=', labelKey(arg))
      .orderBy('post_labels.sort_key', 'desc')
      .limit(number(arg('limit')));

  const queries = {
    blogKey: prepare<PageArgs, { sort_key: string }>(blogKey),
    blogPage: prepare<PageArgs, PostRow>(blogPage),
    labelKey: prepare<LabelPageArgs, { sort_key: string | null }>(labelKey),
    labelPage: prepare<LabelPageArgs, PostRow>(labelPage),
  };
  return {
    async page({ blogId, label }, place, limit) {
      const args = { blogId, limit, ...place };
      const rows = label
        ? await queries.labelPage(db, { ...args, kind: label.kind, labelId: label.id })
        : await queries.blogPage(db, args);
      return rows.map(toPost);
    },
    async keyAt({ blogId, label }, place) {
      const args = { blogId, limit: 1, ...place };
      const [row] = label
        ? await queries.labelKey(db, { ...args, kind: label.kind, labelId: label.id })
        : await queries.blogKey(db, args);
      return row?.sort_key ?? undefined;
    },
  };
}
