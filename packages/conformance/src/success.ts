import type { Pagination, SearchResponse } from '@broadsheet/contract';
import { Disagreement, equal, holds, matches } from './expect.ts';
import { REQUEST_ID } from './failure.ts';
import { json, type RequestOptions, send, type TargetResponse } from './send.ts';
import type { Target } from './target.ts';

/** Checks that the response is a 200 with JSON, and returns its body. */
export function ok(response: TargetResponse): unknown {
  const at = response.request;
  if (response.status !== 200) {
    throw new Disagreement(`${at}: expected 200, found ${response.status}: ${response.text.slice(0, 200)}`);
  }
  matches(response.headers.get('content-type'), /^application\/json\b/i, `${at}: Content-Type`);
  if (!response.documentOnly) matches(response.headers.get('x-request-id'), REQUEST_ID, `${at}: X-Request-Id`);
  return json(response);
}

/** Checks that the success envelope has exactly its keys, and returns `data` and `meta`. */
export function envelope<T>(response: TargetResponse, withMeta = false): { readonly data: T; readonly meta: unknown } {
  const body = ok(response) as { success: unknown; data: T; meta?: unknown };
  const keys = withMeta ? ['data', 'meta', 'success'] : ['data', 'success'];
  equal(Object.keys(body).sort(), keys, `${response.request}: keys of the envelope`);
  equal(body.success, true, `${response.request}: success`);
  holds(body.data !== null && typeof body.data === 'object', `${response.request}: data is present`);
  return { data: body.data, meta: body.meta };
}

/** Reads the `data` of a content endpoint whose envelope has no `meta`. */
export async function read<T>(target: Target, path: string, options?: RequestOptions): Promise<T> {
  return envelope<T>(await send(target, path, options)).data;
}

/** Reads a list in pages. */
export async function readPage<T>(target: Target, path: string): Promise<{ items: T[]; pagination: Pagination }> {
  const { data, meta } = envelope<T[]>(await send(target, path), true);
  equal(Object.keys(meta as object), ['pagination'], `${path}: keys of meta`);
  return { items: data, pagination: (meta as { pagination: Pagination }).pagination };
}

/** Reads a search: results at `data.data`, the query at `data.meta`. */
export const readSearch = (target: Target, query: string, options?: RequestOptions): Promise<SearchResponse> =>
  read(target, `/public/search?${query}`, options);
