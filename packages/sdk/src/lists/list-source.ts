import { ENDPOINTS, type Endpoint, type EndpointId, LIMITS } from '@broadsheet/contract';
import type { Outcome } from '../answer/incoming.ts';
import { perform } from '../calls/perform.ts';
import type { Task } from '../calls/task.ts';
import { refuse } from '../check-options.ts';
import type { Pagination, SearchMeta } from '../generated/resources.ts';
import type { Settings } from '../settings.ts';
import type { Page } from './page.ts';

/** A position in a list: in items for limit and offset, in pages for page and pageSize. */
export interface Position {
  readonly at: number;
  readonly size: number;
}

/** One page as the server sent it. */
export type Slice<T> = Pick<Page<T>, 'items' | 'hasNext' | 'meta'>;

/** One list of the API, whatever its style of pagination (api.md 4.6). */
export interface ListSource<T> {
  readonly id: EndpointId;
  /** Identifies the list by its endpoint and parameters. */
  readonly name: string;
  readonly start: Position;
  next(position: Position): Position;
  request(position: Position, signal?: AbortSignal): Promise<Outcome>;
  read(outcome: Outcome, position: Position): Slice<T>;
}

/** The lists of the API. */
export type ListId = 'posts.list' | 'categories.posts' | 'tags.posts' | 'search';

/** The part of a task that all pages have in common. */
export interface ListTask extends Pick<Task, 'params' | 'query' | 'options'> {
  readonly id: ListId;
  readonly start: number | undefined;
  readonly size: number | undefined;
}

const SIZES = { page: LIMITS.pageSize, search: LIMITS.search.limit, offset: LIMITS.posts.limit };

/** Makes a list out of an endpoint. */
export function listSource<T>(settings: Settings, task: ListTask): ListSource<T> {
  const endpoint: Endpoint = ENDPOINTS[task.id];
  const paged = endpoint.pagination === 'page';
  const [at, size] = paged ? (['page', 'pageSize'] as const) : (['offset', 'limit'] as const);
  return {
    id: task.id,
    name: [task.id, ...Object.values(task.params ?? {}), ...Object.values(task.query ?? {})].join(' '),
    start: {
      at: task.start ?? (paged ? LIMITS.page.default : LIMITS.offset.default),
      size: task.size ?? SIZES[endpoint.pagination ?? 'offset'].default,
    },
    next: (position) => ({ ...position, at: position.at + (paged ? 1 : position.size) }),
    request: (position, signal) =>
      perform(settings, { ...task, query: { ...task.query, [at]: position.at, [size]: position.size }, signal }),
    read({ data, info }, position) {
      const { requestId, status, attempts } = info;
      // The payload was checked: it is a list of objects, with any value of `validate`.
      const found = task.id === 'search' ? (data as { data: T[]; meta: SearchMeta }) : undefined;
      const items = found?.data ?? (data as T[]);
      const pagination = paged ? (info.meta as { pagination?: Pagination } | undefined)?.pagination : undefined;
      return {
        items,
        // Without a total, a page may follow a full one.
        hasNext: pagination?.hasNextPage ?? items.length >= position.size,
        meta: { requestId, status, attempts, ...(found && { search: found.meta }), ...(pagination && { pagination }) },
      };
    },
  };
}

/**
 * Reads a {@link Page.cursor}.
 *
 * @throws InputError for the cursor of another list, and for anything else that is not one.
 */
export function readCursor({ id, name }: Pick<ListSource<unknown>, 'id' | 'name'>, cursor: string): Position {
  let parsed: unknown;
  try {
    parsed = JSON.parse(cursor);
  } catch {
    // reported below
  }
  const [list, at, size] = Array.isArray(parsed) ? parsed : [];
  if (list !== name || !Number.isSafeInteger(at) || !Number.isSafeInteger(size)) {
    throw refuse(id, `${id}: ${JSON.stringify(cursor)} is not a cursor of this list: pass page.cursor as it was.`);
  }
  return { at, size };
}
