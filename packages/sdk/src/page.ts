import type { Attempt } from './errors.ts';
import type { Pagination, SearchMeta } from './models.ts';

/** What is known about a page beside its items. */
export interface PageMeta {
  readonly requestId: string | undefined;
  readonly status: number;
  readonly attempts: readonly Attempt[];
  /** Where the page stands; for the posts of a category or tag. */
  readonly pagination?: Pagination;
  /** What was searched; for a search. */
  readonly search?: SearchMeta;
}

/**
 * One page of a list. Its own properties are plain data, so a page survives `structuredClone` and `JSON.stringify`;
 * `cursor` then carries on from another process.
 */
export class Page<T> {
  readonly items: readonly T[];
  /** Whether a page may follow. Where the API gives no total, a full page says yes. */
  readonly hasNext: boolean;
  /** Hand it to `.resume()` of the same list to start at the next page; absent on the last one. */
  readonly cursor: string | undefined;
  /** How many items were left out because an earlier page of this iteration had them. */
  readonly duplicates: number;
  readonly meta: PageMeta;
  readonly #follow: () => Promise<Page<T>>;

  /** @internal */
  constructor(
    facts: Pick<Page<T>, 'items' | 'hasNext' | 'cursor' | 'duplicates' | 'meta'>,
    follow: () => Promise<Page<T>>,
  ) {
    this.items = facts.items;
    this.hasNext = facts.hasNext;
    this.cursor = facts.cursor;
    this.duplicates = facts.duplicates;
    this.meta = facts.meta;
    this.#follow = follow;
  }

  /** The page after this one, or `undefined` after the last. */
  async next(): Promise<Page<T> | undefined> {
    return this.hasNext ? this.#follow() : undefined;
  }
}
