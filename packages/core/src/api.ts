import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { adOperations } from './ads/ad-operations.ts';
import { createInventoryCache } from './ads/inventory-cache.ts';
import { type Awaitable, isPromise } from './awaitable.ts';
import type { ApiOptions, BlogApi } from './blog-api.ts';
import type { CallAnswer } from './calls/around.ts';
import { type ApiCall, type Caller, IncomingCall } from './calls/call.ts';
import type { OperationInput, OperationResult, Operations } from './calls/operation.ts';
import type { RequestPart } from './calls/parts.ts';
import { contentOperations } from './content/content-operations.ts';
import { createBlogFinder } from './content/due-posts.ts';
import { buffered, toResponse } from './http/answer.ts';
import { ApiError } from './http/api-error.ts';
import { type ApiRequest, fromRequest } from './http/request.ts';
import { content, encode, errorAnswer, preflight, successHeaders } from './http/respond.ts';
import type { Ports } from './ports.ts';
import { type Blog, StoreUnavailable } from './store.ts';

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

/**
 * Creates the API over its ports (api.md 3 to 8).
 *
 * @example
 * ```ts
 * const api = createApi({ store: createMemoryStore(), clock: Date, random, hmac, docsUrl: 'https://docs.example' });
 * const response = await api.fetch(new Request('https://blog.example/public/posts', { headers: { 'X-API-Key': key } }));
 * ```
 */
export function createApi<Stream extends ReadableStream = never>(options: ApiOptions<Stream>): BlogApi<Stream> {
  type Next = (call: IncomingCall) => Awaitable<CallAnswer<Stream>>;
  const { store, clock, random, hmac, docsUrl, basePath = '', around = [], cache } = options;
  const ports: Ports = { store, clock, random, hmac, fingerprint: options.fingerprint ?? ((address) => address) };
  const operations: Operations = {
    ...contentOperations(store),
    ...adOperations(ports, createInventoryCache(store)),
  };
  const target = { findBlog: createBlogFinder(store, clock), basePath };
  const handle = around.reduceRight<Next>(
    (next, layer) => guarded((call) => layer(call as ApiCall, () => next(call))),
    guarded(operate),
  );

  return {
    fetch: async (request, caller) => toResponse(buffered(await answer(fromRequest(request), caller))),
    answer: async (request, caller) => buffered(await answer(request, caller)),
    answerChunks: answer,
    repeat: async (call) => buffered(await handle(IncomingCall.again(call, target, newRequestId()))),
  };

  /** A cached answer is given at once: waiting for promises would take longer than everything else about it. */
  function answer(request: ApiRequest, caller: Caller = {}): Awaitable<CallAnswer<Stream>> {
    const requestId = newRequestId();
    return request.method === 'OPTIONS'
      ? preflight(requestId)
      : handle(new IncomingCall(target, requestId, request, caller));
  }

  function newRequestId(): string {
    return `req_${random.uuid()}`;
  }

  /** Makes an answer of whatever a step throws, so that each step around it sees an answer. */
  function guarded(step: Next): Next {
    return (call) => {
      try {
        const answer = step(call);
        return isPromise(answer) ? answer.then(undefined, (error) => refuse(call, error)) : answer;
      } catch (error) {
        return refuse(call, error);
      }
    };
  }

  function refuse(call: IncomingCall, error: unknown): CallAnswer {
    call.error = toApiError(error);
    const answer = errorAnswer(call.error, call.requestId, docsUrl);
    return call.request.method === 'HEAD' ? { ...answer, body: null } : answer;
  }

  function operate(call: IncomingCall): Awaitable<CallAnswer> {
    const blog = call.findBlog();
    return isPromise(blog) ? blog.then((found) => answerFor(found, call)) : answerFor(blog, call);
  }

  function answerFor(blog: Blog, call: IncomingCall): Awaitable<CallAnswer> {
    const { request, requestId } = call;
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerAnew(blog, call);
    // The address as it was sent finds a cached answer before anything of it is parsed.
    const key = `${blog.id} ${blog.revision} ${request.url}`;
    const found = cache?.get(key);
    if (!found) return answerAnew(blog, call, key);
    call.endpoint = found.id;
    return content(request, found.body, successHeaders(ENDPOINTS[found.id], requestId, `"${blog.revision}"`));
  }

  /** @param key under which the answer may be cached */
  async function answerAnew(blog: Blog, call: IncomingCall, key?: string): Promise<CallAnswer> {
    const { endpoint: id, request, caller, requestId } = call;
    if (!id) throw routeError(call);
    const endpoint: Endpoint = ENDPOINTS[id];
    const input = {
      blog,
      params: readable(call.params),
      query: readable(call.query),
      body: endpoint.body === 'required' ? readable(await call.body()) : undefined,
      ip: caller.ip,
      provenance: { origin: request.header('origin') ?? caller.origin, referer: request.header('referer') },
    };
    // The rules of the row made the input; which row it is, is known only at run time.
    const result = await (operations[id] as AnyOperation)(input as OperationInput<EndpointId>);
    call.impressions = result.impressions ?? 0;
    call.click = result.click;
    const headers = successHeaders(endpoint, requestId, `"${blog.revision}"`);
    const body = encode(endpoint, result);
    if (endpoint.effect !== 'read') return { status: 200, headers, body };
    if (key !== undefined) cache?.offer(key, { id, body });
    return content(request, body, headers);
  }
}

function readable({ value, error }: RequestPart): unknown {
  if (error) throw error;
  return value;
}

function routeError({ route, request: { method }, url: { pathname } }: IncomingCall): ApiError {
  if (route.found !== 'path') return new ApiError('NOT_FOUND', { message: `There is nothing at ${pathname}.` });
  const allow = route.allow.join(', ');
  const message = `${method} is not a method of ${pathname}; use ${allow}.`;
  return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof StoreUnavailable ? 'UNAVAILABLE' : 'INTERNAL_ERROR', { cause: error });
}
