import { ENDPOINTS, type Endpoint, type EndpointId, type Pagination } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import type { WorldResponse } from '../doors/response.ts';
import type { Lens, Mutation, Point } from './lens.ts';
import { rewrite } from './rewrite.ts';
import { chooses, fieldVariation, pointOfLens, UNWRAPPED } from './variations.ts';

/** Applies a lens to a success, or to a validation error of an unwrapped search; leaves other responses unchanged. */
export function throughLens(lens: Lens | Point, id: EndpointId, response: WorldResponse): WorldResponse {
  const body = readJson(response);
  if (body === undefined) return response;
  const point = pointOfLens(lens);
  const { status } = response;
  // The ETag identifies the response of the API, not the changed one.
  const { etag: _, ...headers } = response.headers;
  const mutator = {
    chooses: (path: string, mutation: Mutation) => chooses(point, fieldVariation(id, path, mutation)),
    applied: (path: string, mutation: Mutation) => void point.seen?.add(fieldVariation(id, path, mutation)),
  };
  const seen = status < 400 ? mapData(id, body, (value) => rewrite(MESSAGES[id].data, value, mutator)) : body;
  if (!chooses(point, UNWRAPPED)) return { status, headers, body: JSON.stringify(seen) };
  point.seen?.add(UNWRAPPED);
  return { status, headers, body: JSON.stringify(unwrap(id, status, seen)) };
}

/** The JSON of a response; `undefined` when it has none, or a stream. */
export function readJson({ body }: WorldResponse): unknown {
  if (!body || body instanceof ReadableStream) return undefined;
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

function mapData(id: EndpointId, body: unknown, map: (data: unknown) => unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  return endpoint.form === 'bare' ? map(body) : { ...(body as object), data: map((body as { data: unknown }).data) };
}

interface Envelope {
  readonly data: unknown;
  readonly meta?: { readonly pagination: Pagination };
}

/** The variant of the content endpoints without the success envelope (api.md 4.8). */
function unwrap(id: EndpointId, status: number, body: unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  if (endpoint.form === 'bare') return body;
  if (status >= 400) {
    const { error } = body as { error: { message: string } };
    return id === 'search' && status === 400 ? { error: error.message } : body;
  }
  const { data, meta } = body as Envelope;
  if (!meta) return data;
  const { total, page, pageSize, totalPages } = meta.pagination;
  return { posts: data, total, page, pageSize, totalPages };
}
