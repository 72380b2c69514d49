import { ENDPOINTS, type Endpoint, type EndpointId, findRoute } from '@broadsheet/contract';
import { adOperations } from './ad-operations.ts';
import type { ApiOptions, BlogApi, Caller } from './blog-api.ts';
import type { Bytes } from './bytes.ts';
import { contentOperations } from './content-operations.ts';
import { type ApiAnswer, type ApiRequest, fromRequest, toResponse, whole } from './exchange.ts';
import { Failure } from './failure.ts';
import { createInventoryCache } from './inventory-cache.ts';
import { readJsonBody } from './json-body.ts';
import type { Answer, Call, Operations, Ports } from './operation.ts';
import { createReadyAnswers } from './ready-answers.ts';
import { readBody, readParams, readQuery } from './request-input.ts';
import { content, encode, failureAnswer, preflight, successHeaders } from './respond.ts';
import { type Blog, type ClickOutcome, StoreUnavailable } from './store.ts';

/** What is found out about a request on its way. */
interface Trace {
  endpoint?: EndpointId;
  blogId?: string;
  impressions?: number;
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
  const { store, clock, random, tokens, docsUrl, basePath = '', limiter, observe } = options;
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

  async function handle(request: ApiRequest, caller: Caller = {}): Promise<PiecedAnswer> {
    const requestId = `req_${random.uuid()}`;
    const { method } = request;
    if (method === 'OPTIONS') return preflight(requestId);
    const startedAt = clock.now();
    const trace: Trace = {};
    let failure: Failure | undefined;
    let answer: PiecedAnswer;
    try {
      answer = await answerFor(request, caller, requestId, trace);
    } catch (error) {
      failure = asFailure(error);
      answer = failureAnswer(failure, requestId, docsUrl);
      if (method === 'HEAD') answer = { ...answer, body: null };
    }
    observe?.({
      requestId,
      method,
      endpoint: trace.endpoint,
      blogId: trace.blogId,
      status: answer.status,
      code: failure?.code,
      ms: clock.now() - startedAt,
      impressions: trace.impressions ?? 0,
      click: trace.click,
      cause: failure?.details.cause,
    });
    return answer;
  }

  async function answerFor(
    request: ApiRequest,
    caller: Caller,
    requestId: string,
    trace: Trace,
  ): Promise<PiecedAnswer> {
    const blog = await authenticate(request.header('x-api-key'));
    trace.blogId = blog.id;
    const wait = limiter?.(blog.id) ?? 0;
    if (wait > 0) {
      const message = `This key sends more requests than it may; wait ${wait} s.`;
      throw new Failure('RATE_LIMITED', { message, headers: { 'retry-after': String(wait) } });
    }
    // The address as it was sent finds a ready answer before anything of it is read; only reads are ever kept.
    const key = `${blog.id} ${blog.revision} ${request.url}`;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const kept = isRead ? ready?.get(key) : undefined;
    if (kept) {
      trace.endpoint = kept.id;
      return content(request, kept.body, successHeaders(ENDPOINTS[kept.id], requestId, `"${blog.revision}"`));
    }

    const url = new URL(request.url);
    const { id, params } = route(request.method, url.pathname);
    trace.endpoint = id;
    const endpoint: Endpoint = ENDPOINTS[id];
    const result = await operate(id, { request, caller, blog, params, search: url.searchParams }, trace);
    const headers = successHeaders(endpoint, requestId, `"${blog.revision}"`);
    const body = encode(endpoint, result);
    if (endpoint.effect !== 'read') return { status: 200, headers, body };
    ready?.offer(key, { id, body });
    return content(request, body, headers);
  }

  async function authenticate(apiKey: string | null): Promise<Blog> {
    const blog = apiKey ? await store.findBlog(apiKey) : undefined;
    if (blog) return blog;
    const message = apiKey ? 'The API key is not valid.' : 'The X-API-Key header is missing.';
    throw new Failure('UNAUTHORIZED', { message });
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
    input: {
      readonly request: ApiRequest;
      readonly caller: Caller;
      readonly blog: Blog;
      readonly params: Readonly<Record<string, string>>;
      readonly search: URLSearchParams;
    },
    trace: Trace,
  ): Promise<Answer<EndpointId>> {
    const { request, caller, blog } = input;
    const endpoint: Endpoint = ENDPOINTS[id];
    const call = {
      blog,
      params: readParams(id, input.params),
      query: readQuery(id, input.search),
      body: endpoint.body === 'required' ? readBody(id, await readJsonBody(request)) : undefined,
      ip: caller.ip,
      provenance: {
        origin: request.header('origin') ?? caller.origin,
        referer: request.header('referer'),
      },
    };
    // The schemas of the row made the input; which row it is, is known only at run time.
    const result = await (operations[id] as AnyOperation)(call as Call<EndpointId>);
    trace.impressions = result.impressions ?? 0;
    trace.click = result.click;
    return result;
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(error instanceof StoreUnavailable ? 'UNAVAILABLE' : 'INTERNAL_ERROR', { cause: error });
}
