import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { VIEWABLE_PATH } from './ads/viewable.ts';
import type { Around, CallResponse } from './calls/around.ts';
import { type ApiCall, type Caller, type CallOutcome, IncomingCall, NO_OUTCOME } from './calls/call.ts';
import { createReport, type Observer } from './calls/observer.ts';
import type { OperationInput, OperationResult, Operations } from './calls/operation.ts';
import type { RequestPart } from './calls/parts.ts';
import { contentOperations } from './content/content-operations.ts';
import { createBlogFinder, type FindBlog } from './content/due-posts.ts';
import { ApiError, isApiError } from './http/api-error.ts';
import { type ApiRequest, fromRequest } from './http/request.ts';
import { content, encode, errorParts, noContent, preflight, successHeaders } from './http/respond.ts';
import { type ApiResponse, buffered, toResponse } from './http/response.ts';
import type { CachedResponse, ResponseCache } from './http/response-cache.ts';
import type { Clock, Hmac, Ports, Random } from './ports.ts';
import { createSigning, type Signing } from './signing.ts';
import { type ApiStore, type Blog, type ContentStore, StoreUnavailable } from './store.ts';

/** The parts of an API. The clock, random numbers, signing and storage are injected. */
export interface ApiOptions<Stream = never> {
  readonly store: ApiStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Signs click tokens and preview tokens. */
  readonly hmac: Hmac;
  /** Errors link to `{docsUrl}/errors/{code}`. */
  readonly docsUrl: string;
  /** Path in front of `/public`, such as `/api`; none by default. */
  readonly basePath?: string;
  /** Turns an IP address into an opaque string before it is stored; the server uses a keyed hash. */
  readonly fingerprint?: (address: string) => string;
  /** Whether a user agent is that of a crawler or a tool; by default none is. */
  readonly isBot?: (userAgent: string) => boolean;
  /** Caches encoded content per blog revision; none by default. See `createResponseCache`. */
  readonly cache?: ResponseCache | undefined;
  /** Limits of the calls; none by default. A CORS preflight is neither limited nor observed. */
  readonly limits?: Limits | undefined;
  /** Learns the outcome of every call. */
  readonly observer?: Observer | undefined;
  /** Functions around every call within its limits, outermost first, except a CORS preflight and a {@link BlogApi.hit}. */
  readonly around?: readonly Around<Stream>[];
}

/** What a call must pass; each function throws an `ApiError` to refuse it. */
export interface Limits {
  /** Called before the key of a call is looked up. */
  caller?(caller: Caller): void;
  /** Called with the blog of a valid key; a beacon has none. */
  blog?(blogId: string): void;
}

/** The whole API as one function from a `Request` to a `Response`. */
export interface BlogApi<Stream = never> {
  /** Handles a request; never rejects. */
  fetch(request: Request, caller?: Caller): Promise<Response>;
  /** Like `fetch`, for a door that has the parts of a request instead of a `Request`; never rejects. */
  respond(request: ApiRequest, caller?: Caller): Promise<ApiResponse<string | Uint8Array<ArrayBuffer> | Stream>>;
  /** Like `respond`, for a door that can send a body in chunks: large bodies are not copied. */
  handle(request: ApiRequest, caller?: Caller): Promise<CallResponse<Stream>>;
  /**
   * The cached response to a read whose blog the store can peek at, after its limits; `undefined` to `handle` the
   * request. It is synchronous, because awaiting promises would take longer than the rest; never throws.
   */
  hit(request: ApiRequest, caller?: Caller): CallResponse | undefined;
  /** Handles a call of another API, such as one over a copy of the store, without reading the request again. */
  repeat(call: ApiCall): Promise<ApiResponse<string | Uint8Array<ArrayBuffer> | Stream>>;
}

type Step<Stream> = (call: IncomingCall) => Promise<CallResponse<Stream>>;

/**
 * Creates the API over its ports (api.md 3 to 8).
 *
 * @example
 * ```ts
 * const api = createApi({ store: createMemoryStore(), clock: Date, random, hmac, docsUrl: 'https://docs.example' });
 * const response = await api.fetch(new Request('https://blog.example/public/posts', { headers: { 'X-API-Key': key }
 * }));
 * ```
 */
export function createApi<Stream extends ReadableStream = never>(options: ApiOptions<Stream>): BlogApi<Stream> {
  const { store, clock, random, hmac, fingerprint = (address) => address, isBot = () => false } = options;
  const ports: Ports = { store, clock, random, hmac, fingerprint, isBot };
  return assembleApi(options, (findBlog) => createSigning(ports, findBlog));
}

/** The options of an API whose signing parts come from elsewhere. */
export type AssemblyOptions<Stream = never> = Omit<ApiOptions<Stream>, 'store' | keyof SigningOptions> & {
  readonly store: ContentStore;
};
type SigningOptions = Pick<ApiOptions, 'hmac' | 'fingerprint' | 'isBot'>;

/** Creates the API from its signing parts, which a program may load later. */
export function assembleApi<Stream extends ReadableStream = never>(
  options: AssemblyOptions<Stream>,
  signingOf: (findBlog: FindBlog) => Signing,
): BlogApi<Stream> {
  const { store, clock, random, docsUrl, basePath = '', cache, limits = {}, observer, around = [] } = options;
  const newRequestId = () => `req_${random.uuid()}`;
  const blogs = createBlogFinder(store, clock);
  const signing = signingOf(blogs.find);
  const target = { findBlog: blogs.find, findPreview: signing.findPreview, basePath, newRequestId };
  const report = createReport(observer, clock);
  const respondToError = errorResponder(docsUrl);
  const outermost = around.reduceRight<Step<Stream>>(
    (inner, layer) => {
      const next = guarded(inner, respondToError);
      return (call) => layer(call as ApiCall, () => next(call));
    },
    createOperate(options, signing),
  );

  return {
    fetch: async (request, caller) => toResponse(buffered(await handle(fromRequest(request), caller))),
    respond: async (request, caller) => buffered(await handle(request, caller)),
    handle,
    hit,
    repeat: async (call) => buffered(await run(IncomingCall.again(call, target))),
  };

  async function handle(request: ApiRequest, caller: Caller = {}): Promise<CallResponse<Stream>> {
    return request.method === 'OPTIONS'
      ? preflight(request, newRequestId())
      : run(new IncomingCall(target, request, caller));
  }

  async function run(call: IncomingCall): Promise<CallResponse<Stream>> {
    const startedAt = clock.now();
    try {
      limits.caller?.(call.caller);
      if (limits.blog && !call.isBeacon) limits.blog((await call.findBlog()).id);
      return report(call, await outermost(call), startedAt);
    } catch (error) {
      return report(call, respondToError(call, error), startedAt);
    }
  }

  function hit(request: ApiRequest, caller: Caller = {}): CallResponse | undefined {
    const blog = isRead(request) ? blogs.peek(request.header('x-api-key') ?? '') : undefined;
    const found = blog && cache?.get(cacheKey(blog, request));
    if (!found) return undefined;
    const startedAt = clock.now();
    const call: CallOutcome = { ...NO_OUTCOME, requestId: newRequestId(), request, endpoint: found.id };
    try {
      limits.caller?.(caller);
      call.blog = blog;
      limits.blog?.(blog.id);
      return report(call, respondFromCache(call, blog, found), startedAt);
    } catch (error) {
      return report(call, respondToError(call, error), startedAt);
    }
  }
}

/** Turns any error that a step throws into a response, so that the steps around it always see a response. */
function guarded<Stream>(step: Step<Stream>, respondToError: ErrorResponder): Step<Stream> {
  return async (call) => {
    try {
      return await step(call);
    } catch (error) {
      return respondToError(call, error);
    }
  };
}

type ErrorResponder = (call: CallOutcome, error: unknown) => CallResponse;

const errorResponder =
  (docsUrl: string): ErrorResponder =>
  (call, error) => {
    call.error = toApiError(error);
    const response = errorParts(call.error, call.requestId, docsUrl);
    if (call.acceptsKeys) response.headers['idempotency-accepted'] = 'true';
    return call.request.method === 'HEAD' ? { ...response, body: null } : response;
  };

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD';

/** The key contains the unparsed URL, so a cached response is found without parsing it. */
const cacheKey = (blog: Blog, { url }: ApiRequest): string => `${blog.id} ${blog.revision} ${url}`;

const respondFromCache = (
  { request, requestId }: Pick<CallOutcome, 'request' | 'requestId'>,
  { revision }: Blog,
  { id, body }: CachedResponse,
): CallResponse => content(request, body, successHeaders(ENDPOINTS[id], requestId, `"${revision}"`));

/** The innermost step: finds the blog of the key and responds from the cache or by the operation of the endpoint. */
function createOperate<Stream>(options: AssemblyOptions<Stream>, signing: Signing): Step<never> {
  const { cache } = options;
  const operations: Operations = { ...contentOperations(options), ...signing.operations };

  return async (call) => {
    if (call.isBeacon && call.request.method !== 'POST') throw methodError(call, ['POST', 'OPTIONS']);
    // The response does not reveal whether a token was valid.
    if (call.isBeacon) return signing.countViewable(call.request).then(() => noContent(call.requestId));
    const blog = await call.findBlog();
    if (!isRead(call.request)) return respondAnew(blog, call);
    const key = cacheKey(blog, call.request);
    const found = cache?.get(key);
    if (!found) return respondAnew(blog, call, key);
    call.endpoint = found.id;
    return respondFromCache(call, blog, found);
  };

  /** @param key the key under which the response may be cached */
  async function respondAnew(blog: Blog, call: IncomingCall, key?: string): Promise<CallResponse> {
    const { endpoint: id, request, requestId } = call;
    if (!id) throw routeError(call);
    const endpoint: Endpoint = ENDPOINTS[id];
    const input = await inputOf(call, blog);
    // The input was read by the rules of this endpoint, but the endpoint is known only at run time.
    const result = await (operations[id] as AnyOperation)(input as OperationInput<EndpointId>);
    call.impressions = result.impressions ?? 0;
    call.click = result.click;
    const headers = successHeaders(endpoint, requestId, `"${blog.revision}"`);
    if (endpoint.effect === 'delivery') Object.assign(headers, deliveryHeaders(result));
    if (endpoint.effect !== 'read' && call.acceptsKeys) headers['idempotency-accepted'] = 'true';
    const body = encode(endpoint, result);
    if (endpoint.effect !== 'read') return { status: 200, headers, body };
    if (key !== undefined && id !== 'preview') cache?.offer(key, { id, body });
    return content(request, body, headers);
  }
}

/**
 * The parts of a request, as the rules of its endpoint read them. A body of a wrong type or size is reported first.
 *
 * @throws ApiError for a part that breaks a rule
 */
async function inputOf(call: IncomingCall, blog: Blog) {
  const { request, caller, params, query } = call;
  const body = await call.body();
  return {
    blog,
    body: readable(body),
    params: readable(params),
    query: readable(query),
    previewedId: call.previewedId,
    apiKey: request.header('x-api-key') ?? '',
    ip: caller.ip,
    provenance: { origin: request.header('origin') ?? caller.origin, referer: request.header('referer') },
    userAgent: request.header('user-agent'),
    purpose: request.header('sec-purpose'),
  };
}

function deliveryHeaders({ replayed }: OperationResult<EndpointId>): Record<string, string> {
  return {
    'broadsheet-viewable': VIEWABLE_PATH,
    ...(replayed && { 'idempotency-replayed': 'true' }),
  };
}

function readable({ value, error }: RequestPart): unknown {
  if (error) throw error;
  return value;
}

function routeError(call: IncomingCall): ApiError {
  const { route, url } = call;
  if (route.found === 'path') return methodError(call, route.allow);
  return new ApiError('NOT_FOUND', { message: `There is nothing at ${url.pathname}.` });
}

function methodError({ request, url }: IncomingCall, allowed: readonly string[]): ApiError {
  const allow = allowed.join(', ');
  const message = `${request.method} is not a method of ${url.pathname}; use ${allow}.`;
  return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
}

function toApiError(error: unknown): ApiError {
  if (isApiError(error)) return error;
  return new ApiError(error instanceof StoreUnavailable ? 'UNAVAILABLE' : 'INTERNAL_ERROR', { cause: error });
}
