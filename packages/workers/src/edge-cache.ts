/** The cache of the edge, which may evict a response at any time. */
export interface Cache {
  match(key: string): Promise<Response | undefined>;
  put(key: string, response: Response): Promise<void>;
}

/** Lets work continue after the response was sent. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

const CONTENT = /^\/public\/(?:posts|categories|tags|search)(?:\/|$)/;
/** How long a response may be stored; the object is asked before each use. */
const STORED = 'public, max-age=604800';

/** The key under which the content of a blog is stored; `undefined` for other requests. */
export function contentKey({ url }: Request, blogId: string): string | undefined {
  const { pathname, search, origin } = new URL(url);
  return CONTENT.test(pathname) ? `${origin}/edge/${encodeURIComponent(blogId)}${pathname}${search}` : undefined;
}

/**
 * Answers from the cache of the edge if the object of the blog confirms that the response is unchanged: the request is
 * sent to the object with the stored `ETag`, and the object returns 304 without a body. Stale content is never served,
 * and the object checks the key. Only the transfer of the body is saved.
 *
 * @param key where the response is stored; without a key it is not
 * @param send sends a request to the object of the blog
 */
export async function throughEdge(
  request: Request,
  key: string | undefined,
  context: WorkerContext,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const cache = (globalThis as { caches?: { default?: Cache } }).caches?.default;
  const fits = request.method === 'GET' && !request.headers.has('if-none-match');
  if (!cache || !fits || key === undefined) return send(request);
  const stored = await cache.match(key);
  const etag = stored?.headers.get('etag');
  const answer = await send(etag ? withHeader(request, 'if-none-match', etag) : request);
  if (stored && answer.status === 304) return asAnswered(stored, answer);
  if (answer.status === 200 && answer.headers.has('etag')) {
    const headers = new Headers(answer.headers);
    headers.set('cache-control', STORED);
    headers.delete('vary');
    context.waitUntil(cache.put(key, new Response(answer.clone().body, { headers })));
  }
  return answer;
}

function withHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
}

/** The stored body with the headers of the 304 that confirmed it. */
function asAnswered(stored: Response, answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const name of ['content-type', 'content-length']) {
    const value = stored.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(stored.body, { headers });
}
