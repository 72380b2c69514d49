import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** What the search index needs of a post that was written. */
export interface SearchEntry {
  readonly id: string;
  readonly published: boolean;
  readonly sort_key: string;
  readonly fold_title: string;
  readonly fold_subtitle: string;
  /** Its row of the index before, if it had one. */
  readonly search_row: number | null;
}

/** Search over folded titles and subtitles, as each database can do it. */
export interface PostSearch {
  /** See `Store.searchPosts`. */
  find(blogId: string, terms: readonly string[], range: Range): Promise<SearchResultItem[]>;
  /** Brings the index up to date with posts just written, in the same transaction; ascending by `sort_key`. */
  index(transaction: Kysely<Tables>, blogId: string, entries: readonly SearchEntry[]): Promise<void>;
  /** Called once a write has all its posts. */
  finish(transaction: Kysely<Tables>, blogId: string): Promise<void>;
}
