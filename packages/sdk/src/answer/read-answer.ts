import type { Target } from '../calls/task.ts';
import type { Incoming } from './incoming.ts';

/** What a success carries, however it was wrapped. */
export interface Payload {
  readonly data: unknown;
  readonly meta: unknown;
}

/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the text of an answer says: its payload, or why it is none. */
export type Reading =
  | { readonly payload: Payload }
  | { readonly payload?: undefined; readonly body: unknown; readonly cause: unknown };

/** Reads an answer: the payload of a success in either of its forms (api.md 4.1 and 4.8). */
export function readAnswer(endpoint: Target, { status, text }: Incoming): Reading {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    return { body, cause };
  }
  if (status < 200 || status >= 300 || (isFields(body) && body['success'] === false)) return { body, cause: undefined };
  return { payload: endpoint.form === 'bare' ? { data: body, meta: undefined } : unwrap(body, endpoint) };
}

function unwrap(body: unknown, { pagination }: Target): Payload {
  if (!isFields(body)) return { data: body, meta: undefined };
  if (body['success'] === true) return { data: body['data'], meta: body['meta'] };
  if (pagination !== 'page' || !('posts' in body)) return { data: body, meta: undefined };
  const { posts, page, totalPages } = body;
  const hasNextPage = Number(page) < Number(totalPages);
  const hasPrevPage = Number(page) > 1;
  return {
    data: posts,
    meta: {
      pagination: { page, pageSize: body['pageSize'], total: body['total'], totalPages, hasNextPage, hasPrevPage },
    },
  };
}
