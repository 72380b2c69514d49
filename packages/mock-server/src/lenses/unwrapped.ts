import { ENDPOINTS, type Endpoint, type EndpointId, type Pagination } from '@broadsheet/contract';

interface Envelope {
  readonly data: unknown;
  readonly meta?: { readonly pagination: Pagination };
}

/** The variant of the content endpoints without the success envelope (api.md 4.8). */
export function unwrap(id: EndpointId, status: number, body: unknown): unknown {
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
