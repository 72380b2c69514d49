import type { Attempt } from '../errors/error-facts.ts';
import type { Pagination, SearchMeta } from '../generated/resources.ts';

/**
 * What is known about a page besides its items.
 *
 * @example
 * ```ts
 * const { meta } = await blog.posts.list();
 * const { requestId, attempts }: PageMeta = meta;
 * console.log(requestId, attempts.length);
 * ```
 */
export interface PageMeta {
  readonly requestId: string | undefined;
  readonly status: number;
  readonly attempts: readonly Attempt[];
  /** The position of the page, for the posts of a category or tag. */
  readonly pagination?: Pagination;
  /** The search term and range, for a search. */
  readonly search?: SearchMeta;
}

/**
 * One page of a list. Its own properties are plain data, so a page survives `structuredClone` and `JSON.stringify`.
 * Another process can continue with its `cursor`.
 *
 * @example
 * ```ts
 * const page: Page<Post> = await blog.posts.list({ limit: 20 });
 * const following = await page.next();
 * if (page.cursor) await blog.posts.list().resume(page.cursor); // in another process
 * ```
 */
export class Page<T> {
  declare readonly items: readonly T[];
  /** Whether a page may follow. Without a total from the API, it means that the page was full. */
  declare readonly hasNext: boolean;
  /** Pass it to `.resume()` of the same list to start at the next page; absent on the last page. */
  declare readonly cursor: string | undefined;
  /** The number of items that were omitted because an earlier page of this iteration had them. */
  declare readonly duplicates: number;
  declare readonly meta: PageMeta;
  readonly #follow: () => Promise<Page<T>>;

  /** @internal */
  constructor(
    facts: Pick<Page<T>, 'items' | 'hasNext' | 'cursor' | 'duplicates' | 'meta'>,
    follow: () => Promise<Page<T>>,
  ) {
    Object.assign(this, facts);
    this.#follow = follow;
  }

  /** The page after this one, or `undefined` after the last. */
  get next(): () => Promise<Page<T> | undefined> {
    // A getter, so that `const { next } = page` works and a page has only plain data as its own properties.
    return async () => (this.hasNext ? this.#follow() : undefined);
  }
}
