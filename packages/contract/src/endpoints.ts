/**
 * The side effect of a call, which decides whether it may be repeated:
 * `read` changes nothing; `delivery` counts an impression with each response; `click` uses up a token;
 * `none` is accepted and ignored.
 */
export type Effect = 'read' | 'delivery' | 'click' | 'none';

/** How a list is divided into pages (api.md 4.6). */
export type PaginationStyle = 'offset' | 'page' | 'search';

/** One row of the endpoint table. The rules for its requests are in `REQUESTS`, the codes of its failures in `FAILURES`. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Template with `{name}` segments. */
  readonly path: `/${string}`;
  /** `envelope`: `{ success, data, meta? }`; `bare`: the payload itself (api.md 4.5). */
  readonly form: 'envelope' | 'bare';
  readonly effect: Effect;
  readonly pagination?: PaginationStyle;
  /** `required`: JSON with its content type; `ignored`: any or none. */
  readonly body?: 'required' | 'ignored';
}

const content = { method: 'GET', form: 'envelope', effect: 'read' } as const;
const delivery = { form: 'bare', effect: 'delivery' } as const;

/** The whole API: one row for each endpoint (api.md 4), and the preview of a post. */
export const ENDPOINTS = {
  'posts.list': { ...content, path: '/public/posts', pagination: 'offset' },
  'posts.get': { ...content, path: '/public/posts/{id}' },
  'posts.getBySlug': { ...content, path: '/public/posts/slug/{slug}' },
  'categories.list': { ...content, path: '/public/categories' },
  'categories.get': { ...content, path: '/public/categories/{id}' },
  'categories.posts': { ...content, path: '/public/categories/{id}/posts', pagination: 'page' },
  'tags.list': { ...content, path: '/public/tags' },
  'tags.get': { ...content, path: '/public/tags/{id}' },
  'tags.posts': { ...content, path: '/public/tags/{id}/posts', pagination: 'page' },
  search: { ...content, path: '/public/search', pagination: 'search' },
  'ads.deliver': { method: 'GET', ...delivery, path: '/public/ads/formats/{format}' },
  'ads.deliverBatch': { method: 'POST', ...delivery, body: 'required', path: '/public/ads/formats' },
  'ads.click': { method: 'POST', form: 'bare', effect: 'click', body: 'required', path: '/public/ads/tracking/click' },
  'ads.impression': {
    method: 'POST',
    form: 'bare',
    effect: 'none',
    body: 'ignored',
    path: '/public/ads/tracking/impression',
  },
  /** A preview token in `Authorization` opens it, not an API key. */
  preview: { ...content, path: '/preview/post' },
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint: the path to it in the SDK. */
export type EndpointId = keyof typeof ENDPOINTS;
/** Every {@link EndpointId}, in the order of the API document. */
export const ENDPOINT_IDS: readonly EndpointId[] = /* @__PURE__ */ Object.keys(ENDPOINTS) as EndpointId[];
