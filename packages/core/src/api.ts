import { ENDPOINTS, type Endpoint, type EndpointId, findRoute } from '@broadsheet/contract';
import { adOperations } from './ads/ad-operations.ts';
import { createInventoryCache } from './ads/inventory-cache.ts';
import { type Awaitable, isPromise } from './awaitable.ts';
import type { ApiOptions, BlogApi, Caller } from './blog-api.ts';
import { contentOperations } from './content/content-operations.ts';
import type { Bytes } from './http/bytes.ts';
import { type ApiAnswer, type ApiRequest, fromRequest, toResponse, whole } from './http/exchange.ts';
import { Failure } from './http/failure.ts';
import { readJsonBody } from './http/json-body.ts';
import { createReadyAnswers } from './http/ready-answers.ts';
import { readBody, readParams, readQuery } from './http/request-input.ts';
import { content, encode, failureAnswer, preflight, successHeaders } from './http/respond.ts';
import type { Answer, Call, Operations } from './operation.ts';
import type { Ports } from './ports.ts';
import { type Blog, type ClickOutcome, StoreUnavailable } from './store.ts';

/** A request on its way, with what is found out about it. */
interface Trace {
  readonly requestId: string;
  readonly request: ApiRequest;
  readonly caller: Caller;
  readonly startedAt: number;
  endpoint?: EndpointId;
  blogId?: string;
  impressions?: number | undefined;
  click?: ClickOutcome | undefined;
}

type PiecedAnswer = ApiAnswer<string | Bytes>;
type AnyOperation = (call: Call<EndpointId>) => Promise<Answer<EndpointId>>;

/**
 * Creates the API over its ports (api.md 3 to 8).
 *
 * @example
 * ```ts
 * const api = createApi({ store: createMemoryStore(), clock: Date, random, tokens, docsUrl: 'https://docs.example' });
 * const response = await api.fetch(new Request('https://blog.example/public/posts', { headers: { 'X-API-Key': key } }));
 * ```
 */
export function createApi(options: ApiOptions): BlogApi {
  const { store, clock, random, tokens, docsUrl, basePath = '', admit, observe } = options;
  const ports: Ports = { store, clock, random, tokens, fingerprint: options.fingerprint ?? ((address) => address) };
  const operations: Operations = {
    ...contentOperations(store),
    ...adOperations(ports, createInventoryCache(store)),
  };
  const ready = options.cache && createReadyAnswers(options.cache.maxBytes);

  return {
    fetch: async (request, caller) => toResponse(whole(await handle(fromRequest(request), caller))),
    answer: async (request, caller) => whole(await handle(request, caller)),
    answerInPieces: handle,
  };

  /** What is at hand is answered at once: waiting for promises would take longer than all the rest of it. */
  function handle(request: ApiRequest, caller: Caller = {}): Awaitable<PiecedAnswer> {
    const requestId = `req_${random.uuid()}`;
    if (request.method === 'OPTIONS') return preflight(requestId);
    const trace: Trace = { requestId, request, caller, startedAt: clock.now() };
    let answer: Awaitable<PiecedAnswer>;
    try {
      const blog = findBlog(request.header('x-api-key'));
      answer = isPromise(blog) ? blog.then((found) => answerFor(found, trace)) : answerFor(blog, trace);
    } catch (error) {
      return refused(trace, error);
    }
    if (!isPromise(answer)) return told(trace, answer);
    return answer.then(
      (late) => told(trace, late),
      (error) => refused(trace, error),
    );
  }

  function told(trace: Trace, answer: PiecedAnswer, failure?: Failure): PiecedAnswer {
    const { requestId, request, startedAt, endpoint, blogId, impressions = 0, click } = trace;
    observe?.({
      requestId,
      method: request.method,
      endpoint,
      blogId,
      status: answer.status,
      code: failure?.code,
      ms: clock.now() - startedAt,
      impressions,
      click,
      cause: failure?.details.cause,
    });
    return answer;
  }

  function refused(trace: Trace, error: unknown): PiecedAnswer {
    const failure = asFailure(error);
    const answer = failureAnswer(failure, trace.requestId, docsUrl);
    return told(trace, trace.request.method === 'HEAD' ? { ...answer, body: null } : answer, failure);
  }

  function findBlog(apiKey: string | null): Awaitable<Blog | undefined> {
    if (apiKey) return store.findBlog(apiKey);
    throw new Failure('UNAUTHORIZED', { message: 'The X-API-Key header is missing.' });
  }

  function answerFor(blog: Blog | undefined, trace: Trace): Awaitable<PiecedAnswer> {
    if (!blog) throw new Failure('UNAUTHORIZED', { message: 'The API key is not valid.' });
    trace.blogId = blog.id;
    admit?.(blog.id);
    const { request, requestId } = trace;
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerAnew(blog, trace);
    // The address as it was sent finds a ready answer before anything of it is read.
    const key = `${blog.id} ${blog.revision} ${request.url}`;
    const kept = ready?.get(key);
    if (!kept) return answerAnew(blog, trace, key);
    trace.endpoint = kept.id;
    return content(request, kept.body, successHeaders(ENDPOINTS[kept.id], requestId, `"${blog.revision}"`));
  }

  /** @param key under which the answer may be kept */
  async function answerAnew(blog: Blog, trace: Trace, key?: string): Promise<PiecedAnswer> {
    const { request, requestId } = trace;
    const url = new URL(request.url);
    const { id, params } = route(request.method, url.pathname);
    trace.endpoint = id;
    const endpoint: Endpoint = ENDPOINTS[id];
    const result = await operate(id, params, url.searchParams, blog, trace);
    trace.impressions = result.impressions;
    trace.click = result.click;
    const headers = successHeaders(endpoint, requestId, `"${blog.revision}"`);
    const body = encode(endpoint, result);
    if (endpoint.effect !== 'read') return { status: 200, headers, body };
    if (key !== undefined) ready?.offer(key, { id, body });
    return content(request, body, headers);
  }

  function route(method: string, pathname: string): { id: EndpointId; params: Readonly<Record<string, string>> } {
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
    const route = path === undefined ? undefined : findRoute(method, path);
    if (route?.found === 'endpoint') return route;
    if (route?.found === 'path') {
      const allow = route.allow.join(', ');
      const message = `${method} is not a method of ${pathname}; use ${allow}.`;
      throw new Failure('METHOD_NOT_ALLOWED', { message, headers: { allow } });
    }
    throw new Failure('NOT_FOUND', { message: `There is nothing at ${pathname}.` });
  }

  async function operate(
    id: EndpointId,
    params: Readonly<Record<string, string>>,
    search: URLSearchParams,
    blog: Blog,
    { request, caller }: Trace,
  ): Promise<Answer<EndpointId>> {
    const endpoint: Endpoint = ENDPOINTS[id];
    const call = {
      blog,
      params: readParams(id, params),
      query: readQuery(id, search),
      body: endpoint.body === 'required' ? readBody(id, await readJsonBody(request)) : undefined,
      ip: caller.ip,
      provenance: {
        origin: request.header('origin') ?? caller.origin,
        referer: request.header('referer'),
      },
    };
    // The schemas of the row made the input; which row it is, is known only at run time.
    return (operations[id] as AnyOperation)(call as Call<EndpointId>);
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(error instanceof StoreUnavailable ? 'UNAVAILABLE' : 'INTERNAL_ERROR', { cause: error });
}
