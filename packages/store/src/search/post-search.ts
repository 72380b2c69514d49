import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What search knows of a post. */
export interface SearchedPost {
  readonly post_id: string;
  readonly sort_key: string;
  /** See `searchedText`; `undefined` for a post that is not published. */
  readonly text: string | undefined;
}

/** Search over folded titles and subtitles with the index of a database. */
export interface PostSearch {
  /** See `Store.searchPosts`. */
  find(blogId: string, terms: readonly string[], range: Range): Promise<SearchResultItem[]>;
  /** Indexes posts that were written or deleted, in their transaction. */
  write(transaction: Kysely<Tables>, blogId: string, posts: readonly SearchedPost[]): Promise<void>;
}
