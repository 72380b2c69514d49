import type { LIMITS } from '@broadsheet/contract';
import type { Task } from '../calls/outgoing.ts';
import { inputError, mustBe } from '../check-options.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { Pagination, SearchMeta } from '../generated/resources.ts';
import type { CallOptions } from '../options.ts';
import type { Outcome } from '../response/incoming.ts';

/** The details of a page besides its items. */
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
  readonly items: readonly T[];
  /** Whether a page may follow. Without a total from the API, it means that the page was full. */
  readonly hasNext: boolean;
  /** Pass it to `.resume()` of the same list to start at the next page; absent on the last page. */
  readonly cursor: string | undefined;
  /** The number of items that were omitted because an earlier page of this iteration had them. */
  readonly duplicates: number;
  readonly meta: PageMeta;
  readonly #follow: Follow<T>;

  /** @internal */
  constructor(facts: Pick<Page<T>, 'items' | 'hasNext' | 'cursor' | 'duplicates' | 'meta'>, follow: Follow<T>) {
    // One by one: a page is created with each list call, and a loop over the names takes longer.
    this.items = facts.items;
    this.hasNext = facts.hasNext;
    this.cursor = facts.cursor;
    this.duplicates = facts.duplicates;
    this.meta = facts.meta;
    this.#follow = follow;
  }

  /** The page after this one, or `undefined` after the last. */
  get next(): () => Promise<Page<T> | undefined> {
    // A getter, so that `const { next } = page` works and the own properties of a page are plain data.
    return async () => (this.hasNext ? this.#follow() : undefined);
  }
}

/** A position in a list: in items for limit and offset, in pages for page and pageSize. */
export interface Position {
  readonly at: number;
  readonly size: number;
}

/** The part of a task that all pages of a list have in common, regardless of its style of pagination (api.md 4.6). */
export interface ListTask extends Pick<Task, 'params' | 'query'> {
  readonly id: keyof typeof LISTS;
  readonly options?: (CallOptions & { readonly [Name in PlaceName]?: number | undefined }) | undefined;
}

/** The options and parameters that say where a page is. */
type PlaceName = 'limit' | 'offset' | 'page' | 'pageSize';

/** Requests the page after a given one. */
type Follow<T> = () => PromiseLike<Page<T> | undefined>;

// Literals, so that the contract's table stays out of a page; its types check them.
type Limits = typeof LIMITS;
/** The number of items on a page, unless the caller sets it. */
const LENGTH =
  10 satisfies Limits['posts']['limit']['default'] satisfies Limits['search']['limit']['default'] satisfies Limits['pageSize']['default'];
const BY_OFFSET = { at: 'offset', first: 0 satisfies Limits['offset']['default'], size: 'limit' } as const;
const BY_PAGE = { at: 'page', first: 1 satisfies Limits['page']['default'], size: 'pageSize' } as const;

/** How each list is divided into pages, by limit and offset or by number, and where it begins. */
const LISTS = { 'posts.list': BY_OFFSET, search: BY_OFFSET, 'categories.posts': BY_PAGE, 'tags.posts': BY_PAGE };

/** The position of the page after a given one, or of the first page. */
export function positionAfter({ id, options }: ListTask, before?: Position): Position {
  const { at, first, size } = LISTS[id];
  if (!before) return { at: options?.[at] ?? first, size: options?.[size] ?? LENGTH };
  return { at: before.at + (LISTS[id] === BY_PAGE ? 1 : before.size), size: before.size };
}

/** The task that reads one page. */
export function taskAt({ id, params, query, options }: ListTask, { at, size }: Position, signal?: AbortSignal): Task {
  // Literals: computed names take ten times as long.
  const place = LISTS[id] === BY_PAGE ? { page: at, pageSize: size } : { offset: at, limit: size };
  return { id, params, query: query ? { ...query, ...place } : place, options, signal };
}

/** Reads one page as the server sent it. */
export function readPage<T>(task: ListTask, position: Position, { data, info }: Outcome, follow: Follow<T>): Page<T> {
  const { id } = task;
  const { requestId, status, attempts } = info;
  const meta: { -readonly [Name in keyof PageMeta]: PageMeta[Name] } = { requestId, status, attempts };
  // The payload was checked: it is a list of objects, regardless of `validate`.
  let items = data as T[];
  if (id === 'search') ({ data: items, meta: meta.search } = data as { data: T[]; meta: SearchMeta });
  const { pagination } = (LISTS[id] === BY_PAGE && info.meta ? info.meta : {}) as Pick<PageMeta, 'pagination'>;
  if (pagination) meta.pagination = pagination;
  const { at, size } = positionAfter(task, position);
  const hasNext = items.length > 0 && (pagination ? isBefore(at, pagination) : items.length >= position.size);
  const cursor = hasNext ? `${at} ${size} ${nameOf(task)}` : undefined;
  return new Page({ items, hasNext, cursor, duplicates: 0, meta }, follow);
}

/**
 * Whether the server says that the next page exists. It may contradict itself, or send other types: only `true` is true,
 * and no page is after the last one.
 */
const isBefore = (next: number, { hasNextPage, totalPages }: Pagination): boolean =>
  hasNextPage === true && (typeof totalPages !== 'number' || next <= totalPages);

/** Identifies a list in its cursors, by its endpoint and its category, tag or term. */
function nameOf({ id, params, query }: ListTask): string {
  const subject = params?.['id'] ?? query?.['q'];
  return subject === undefined ? id : `${id} ${subject}`;
}

/**
 * Reads a {@link Page.cursor}.
 *
 * @throws InputError for the cursor of another list, and for anything else that is not one.
 */
export function readCursor(task: ListTask, cursor: string): Position {
  const [, at, size, list] = /^(\d{1,15}) (\d{1,15}) (.+)$/s.exec(cursor) ?? [];
  if (list === nameOf(task)) return { at: Number(at), size: Number(size) };
  throw inputError(task.id, mustBe('the cursor', 'page.cursor of the same list', cursor));
}
