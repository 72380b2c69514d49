// Servers that are each broken in one way, which a comparison with the API document must find.

export type Send = (request: Request) => Promise<Response>;
export type Json = Record<string, unknown>;

/** A server with a single deviation. */
export interface Mutant {
  readonly name: string;
  /** Whether only a blog with domains shows the deviation. */
  readonly domains?: boolean;
  readonly breaks: (send: Send) => Send;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: Request;
}

export const seen = (request: Request): Seen => {
  const { pathname, searchParams } = new URL(request.url);
  return { method: request.method, path: pathname, query: searchParams, request };
};
export const json = (body: unknown, response: Response, status = response.status) =>
  new Response(JSON.stringify(body), { status, headers: plain(response.headers) });
const plain = (headers: Headers): Headers => {
  const copy = new Headers(headers);
  copy.delete('content-length');
  return copy;
};
const moved = ({ request }: Seen, change: (url: URL) => void): Request => {
  const url = new URL(request.url);
  change(url);
  const { method, headers } = request;
  return new Request(url, { method, headers });
};
/** A request with another idempotency key. */
export const withKey = async (request: Request, key: string): Promise<Request> => {
  const url = new URL(request.url);
  url.searchParams.set('idempotencyKey', key);
  const { method, headers } = request;
  return new Request(url, { method, headers, ...(method === 'POST' && { body: await request.text() }) });
};
/** Changes the URL of a request where `when` holds. */
export const asks =
  (when: (seen: Seen) => boolean, change: (url: URL, seen: Seen) => void) =>
  (send: Send): Send =>
  (request) => {
    const at = seen(request);
    return send(when(at) ? moved(at, (url) => change(url, at)) : request);
  };
/** Changes the JSON of a 200 where `when` holds. */
export const responds =
  (when: (seen: Seen) => boolean, change: (body: Json, seen: Seen, send: Send) => unknown) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    const at = seen(request);
    if (response.status !== 200 || request.method === 'HEAD' || !when(at)) return response;
    return json(await change((await response.json()) as Json, at, send), response);
  };
/** Replaces responses that have a certain status. */
export const instead =
  (status: number, change: (response: Response, seen: Seen, send: Send) => Response | Promise<Response>) =>
  (send: Send): Send =>
  async (request) => {
    const again = request.clone();
    const response = await send(request);
    return response.status === status ? change(response, seen(again), send) : response;
  };

const POSTS = '/public/posts';
export const isPages = ({ path }: Seen) => path.endsWith('/posts') && path !== POSTS;
export const isCategoryPage = (at: Seen) => isPages(at) && at.path.startsWith('/public/categories');
export const isSearch = ({ path }: Seen) => path === '/public/search';
export const isList = ({ path }: Seen) => path === POSTS;
export const isBatch = ({ path, method }: Seen) => path === '/public/ads/formats' && method === 'POST';
export const isDelivery = ({ path }: Seen) => path.startsWith('/public/ads/formats/');
export const isClick = ({ path }: Seen) => path === '/public/ads/tracking/click';
export const isImpression = ({ path }: Seen) => path === '/public/ads/tracking/impression';
export const isPost = (at: Seen) => isList(at) || /^\/public\/posts\/(slug\/)?[^/]+$/.test(at.path);
export const list = (body: Json) => body['data'] as Json[];
/** Changes the item of a response, or each item of its list. */
export const each = (body: Json, change: (item: Json) => Json) => ({
  ...body,
  data: Array.isArray(body['data']) ? list(body).map(change) : change(body['data'] as Json),
});
/** Changes the results of a batch. */
export const slots = (change: (results: Json[]) => unknown) =>
  responds(isBatch, (body) => change(body as unknown as Json[]));
export const reversed = (post: Json, name: string) => [...(post[name] as Json[])].reverse();
export const escaped = (item: Json): Json => ({ ...item, title: String(item['title']).replaceAll('&', '&amp;') });
export const hits = (body: Json) => body['data'] as { data: Json[]; meta: Json };
export const withHits = (body: Json, data: Json[]) => {
  const { meta } = hits(body);
  return { ...body, data: { data, meta: { ...meta, count: data.length } } };
};
export const withPagination = (body: Json, change: (pagination: Json) => Json) => {
  const { pagination } = body['meta'] as { pagination: Json };
  return { ...body, meta: { pagination: { ...pagination, ...change(pagination) } } };
};
export const allPosts = async ({ request }: Seen, send: Send): Promise<Json[]> => {
  const url = new URL('/public/posts?limit=100', request.url);
  return list((await (await send(new Request(url, { headers: request.headers }))).json()) as Json);
};
const hitOf = ({ id, title, subtitle, slug, publishedAt }: Json): Json => {
  return { id, title, subtitle, slug, coverUrl: null, publishedAt };
};
const searchesWith = (find: (posts: Json[], q: string) => Json[]) =>
  responds(isSearch, async (body, at, send) => {
    const [limit, offset] = [Number(at.query.get('limit') ?? 10), Number(at.query.get('offset') ?? 0)];
    const found = find(await allPosts(at, send), String(hits(body).meta['q']));
    return withHits(body, found.slice(offset, offset + limit).map(hitOf));
  });
/** Searches the posts in a way that breaks the rules. */
export const searches = (finds: (post: Json, q: string) => boolean) =>
  searchesWith((posts, q) => posts.filter((post) => finds(post, q)));
/** Searches other texts of the posts, in the right order. */
export const searchesIn = (textOf: (post: Json) => string, mostTerms = Number.POSITIVE_INFINITY) =>
  searchesWith((posts, q) => {
    const terms = fold(q).split(' ').slice(0, mostTerms);
    const inTitle = (post: Json) => terms.filter((term) => fold(post['title']).includes(term)).length;
    return posts
      .filter((post) => terms.every((term) => fold(textOf(post)).includes(term)))
      .sort((one, two) => inTitle(two) - inTitle(one));
  });
export const fold = (text: unknown) => String(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
export const headOf = (post: Json) => `${post['title']}\n${post['subtitle']}`;
export const like = (text: string) =>
  new RegExp(
    text
      .replaceAll(/[.*+?^$()[\]\\|{}]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.'),
    's',
  );
export const headers =
  (when: (seen: Seen, response: Response) => boolean, change: (headers: Headers) => void) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    if (!when(seen(request), response)) return response;
    const changed = plain(response.headers);
    change(changed);
    return new Response(response.body, { status: response.status, headers: changed });
  };
export const ok = (response: Response) => json({ status: 'ok' }, response, 200);
/** Changes the status of a response where `when` holds. */
export const statusOf =
  (when: (seen: Seen, response: Response) => boolean, status: number) =>
  (send: Send): Send =>
  async (request) => {
    const at = seen(request.clone());
    const response = await send(request);
    if (!when(at, response)) return response;
    const body = request.method === 'HEAD' ? null : await response.text();
    return new Response(body, { status, headers: response.headers });
  };
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));
/** Responds to concurrent requests as if all of them were the last one. */
export const getLast =
  (when: (seen: Seen) => boolean) =>
  (send: Send): Send => {
    let last = '';
    return async (request) => {
      if (!when(seen(request))) return send(request);
      last = request.url;
      await nextTask();
      return send(new Request(last, { method: request.method, headers: request.headers }));
    };
  };
/** The JSON that a request sends. */
export const bodyOf = async (request: Request): Promise<Json | undefined> => {
  const text = await request.clone().text();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
