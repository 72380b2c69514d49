import type { Pagination, SearchResponse } from '@broadsheet/contract';
import { Disagreement, equal, holds, matches } from './expect.ts';
import { REQUEST_ID } from './failure.ts';
import { type Answer, json, type RequestOptions, send } from './send.ts';
import type { Target } from './target.ts';

/** Checks that the response is a 200 with JSON, and returns its body. */
export function ok(answer: Answer): unknown {
  const at = answer.request;
  if (answer.status !== 200) {
    throw new Disagreement(`${at}: expected 200, found ${answer.status}: ${answer.text.slice(0, 200)}`);
  }
  matches(answer.headers.get('content-type'), /^application\/json\b/i, `${at}: Content-Type`);
  if (!answer.documentOnly) matches(answer.headers.get('x-request-id'), REQUEST_ID, `${at}: X-Request-Id`);
  return json(answer);
}

/** Checks that the success envelope has exactly its keys, and returns `data` and `meta`. */
export function envelope<T>(answer: Answer, withMeta = false): { readonly data: T; readonly meta: unknown } {
  const body = ok(answer) as { success: unknown; data: T; meta?: unknown };
  const keys = withMeta ? ['data', 'meta', 'success'] : ['data', 'success'];
  equal(Object.keys(body).sort(), keys, `${answer.request}: keys of the envelope`);
  equal(body.success, true, `${answer.request}: success`);
  holds(body.data !== null && typeof body.data === 'object', `${answer.request}: data is there`);
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
