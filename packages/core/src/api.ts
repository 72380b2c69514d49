import { ENDPOINTS, type Endpoint, type EndpointId, type ErrorCode } from '@broadsheet/contract';
import {
  type ApiCall,
  type Around,
  type BlogCall,
  type Caller,
  type CallOutcome,
  type CallResponse,
  IncomingCall,
  VIEWABLE_PATH,
} from './calls/call.ts';
import type { OperationInput, OperationResult, Operations } from './calls/operations.ts';
import { contentOperations } from './content/content-operations.ts';
import { createDuePublisher } from './content/due-posts.ts';
import { ApiError, isApiError } from './http/api-error.ts';
import { type ApiRequest, fromRequest } from './http/request.ts';
import {
  buffered,
  effectResponse,
  encode,
  errorResponse,
  noContent,
  preflight,
  readResponse,
  toFetch,
} from './http/response.ts';
import { cacheKey, type ResponseCache } from './http/response-cache.ts';
import type { Clock, Ports } from './ports.ts';
import { createSigning, type Signing } from './signing.ts';
import { type Blog, type ClickOutcome, type ContentStore, type FindBlog, StoreUnavailable } from './store.ts';

/** The options of an API whose signing parts come from elsewhere. */
export interface AssemblyOptions<Stream = never> extends Pick<Ports, 'clock' | 'random'> {
  readonly store: ContentStore;
  /** Errors link to `{docsUrl}/errors/{code}`. */
  readonly docsUrl: string;
  /** Path in front of `/public`, such as `/api`; none by default. */
  readonly basePath?: string;
  /** Caches encoded content per blog revision; none by default. See `createResponseCache`. */
  readonly cache?: ResponseCache | undefined;
  /** Limits of the calls; none by default. A CORS preflight is neither limited nor observed. */
  readonly limits?: Limits | undefined;
  /** Receives the outcome of every call. */
  readonly observer?: Observer | undefined;
  /**
   * Functions around every call, outermost first, except a CORS preflight, a report of viewable ads and a
   * {@link BlogApi.hit}. They run before the key is looked up.
   */
  readonly around?: readonly Around<Stream>[];
  /** Functions around the calls whose keys are valid, inside of {@link around} and of the limits, outermost first. */
  readonly aroundBlog?: readonly Around<Stream, BlogCall>[];
}

/**
 * The options of an API. Without `fingerprint`, IP addresses are stored as they are; without `isBot`, nothing is a bot.
 */
export type ApiOptions<Stream = never> = AssemblyOptions<Stream> &
  Pick<Ports, 'store' | 'hmac'> &
  Partial<Pick<Ports, 'fingerprint' | 'isBot'>>;

/** The checks that a call must pass; each function throws an `ApiError` to refuse it. */
export interface Limits {
  /** Called before the key of a call is looked up. */
  caller?(caller: Caller): void;
  /** Called with the blog of a valid key. A report of viewable ads has no key. */
  blog?(blogId: string): void;
}

/** The outcome of a call. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  /** `viewable` for a beacon; `undefined` for a call of no endpoint, and for a call whose key was refused. */
  readonly endpoint: EndpointId | 'viewable' | undefined;
  readonly blogId: string | undefined;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Milliseconds from the call to its response. */
  readonly ms: number;
  readonly impressions: number;
  readonly click: ClickOutcome | undefined;
  /** The internal cause when the status is 500 or 503. */
  readonly cause: unknown;
}

/** Receives the outcome of every call. */
export interface Observer {
  observe(observation: Observation): void;
  /** Receives the errors that `observe` throws: only the first one, until it works again. */
  onError(error: unknown): void;
}

/** The whole API as one function from a `Request` to a `Response`. */
export interface BlogApi<Stream = never> {
  /** Handles a request; never rejects. */
  fetch(request: Request, caller?: Caller): Promise<Response>;
  /**
   * Like `fetch`, for a door that has the parts of a request instead of a `Request`. The body may be in chunks, so that
   * large ones are not copied; see `buffered`.
   */
  handle(request: ApiRequest, caller?: Caller): Promise<CallResponse<Stream>>;
  /**
   * The cached response to a read, within its limits, if the store has the blog in memory; `undefined` means that
   * `handle` must be called. It is synchronous, because awaiting promises would take longer than the rest, and it never
   * throws.
   */
  hit(request: ApiRequest, caller?: Caller): CallResponse | undefined;
  /** Handles a call of another API, such as one over a copy of the store, without reading the request again. */
  repeat(call: ApiCall): Promise<CallResponse<Stream>>;
}

/**
 * Creates the API over its ports (api.md 3 to 8).
 *
 * @example
 * ```ts
 * const api = createApi({ store: createMemoryStore(), clock: Date, random, hmac, docsUrl: 'https://docs.example' });
 * const request = new Request('https://blog.example/public/posts', { headers: { 'X-API-Key': key } });
 * const response = await api.fetch(request);
 * ```
 */
export function createApi<Stream extends ReadableStream = never>(options: ApiOptions<Stream>): BlogApi<Stream> {
  const { store, clock, random, hmac, fingerprint = (address) => address, isBot = () => false } = options;
  const ports: Ports = { store, clock, random, hmac, fingerprint, isBot };
  return assembleApi(options, (findBlog) => createSigning(ports, findBlog));
}

/** Creates the API from its signing parts, which a program may load later. */
export function assembleApi<Stream extends ReadableStream = never>(
  options: AssemblyOptions<Stream>,
  signingOf: (findBlog: FindBlog) => Signing,
): BlogApi<Stream> {
  const { store, clock, random, docsUrl, basePath = '', cache, limits = {}, observer } = options;
  const publishDue = createDuePublisher(store, clock);
  const signing = signingOf(findBlog);
  const target = { clock, random, findBlog, findPreview: signing.findPreview, basePath };
  const respond = createRespond(options, signing);
  const report = createReport(observer, clock);

  return {
    async fetch(request, caller) {
      return toFetch(buffered(await handle(fromRequest(request), caller)));
    },
    handle,
    hit,
    repeat: (call) => run(IncomingCall.again(call, target)),
  };

  /** Finds the blog of a key, after publishing its due posts. */
  async function findBlog(apiKey: string): Promise<Blog | undefined> {
    const blog = await store.findBlog(apiKey);
    return blog?.nextDueAt === undefined ? blog : publishDue(apiKey, blog);
  }

  async function handle(request: ApiRequest, caller: Caller = {}): Promise<CallResponse<Stream>> {
    const call = new IncomingCall(target, request, caller);
    return request.method === 'OPTIONS' ? preflight(call) : run(call);
  }

  async function run(call: IncomingCall): Promise<CallResponse<Stream>> {
    try {
      limits.caller?.(call.caller);
      return report(call, await respond(call));
    } catch (error) {
      return report(call, failed(call, error, docsUrl));
    }
  }

  function hit(request: ApiRequest, caller: Caller = {}): CallResponse | undefined {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const blog = isRead ? store.peekBlog?.(request.header('x-api-key') ?? '') : undefined;
    // Due posts are published first.
    const isCurrent = blog && clock.now() < (blog.nextDueAt ?? Infinity);
    const cached = isCurrent && cache?.get(cacheKey(blog, request));
    if (!cached) return undefined;
    const call: CallOutcome = {
      requestId: `req_${random.uuid()}`,
      startedAt: clock.now(),
      request,
      endpoint: cached.id,
      blog: undefined,
    };
    try {
      limits.caller?.(caller);
      call.blog = blog;
      limits.blog?.(blog.id);
      return report(call, readResponse(call, cached, blog.revision));
    } catch (error) {
      return report(call, failed(call, error, docsUrl));
    }
  }
}

type Step<Stream> = (call: IncomingCall) => Promise<CallResponse<Stream>>;

/** Creates the step that responds to a call whose caller is within the limit. */
function createRespond<Stream>(options: AssemblyOptions<Stream>, signing: Signing): Step<Stream> {
  const { docsUrl, cache, limits = {}, around = [], aroundBlog = [] } = options;
  const operations = { ...contentOperations(options), ...signing.operations };
  const withBlog = surround(aroundBlog, createOperate(operations, cache), docsUrl);
  const enterBlog: Step<Stream> = async (call) => {
    const { id } = await call.findBlog();
    limits.blog?.(id);
    return withBlog(call);
  };
  const outermost = surround<Stream, ApiCall>(around, enterBlog, docsUrl);
  return async (call) => {
    // A report of viewable ads has no key, so no function that needs a blog may come before it.
    if (!call.isBeacon) return outermost(call);
    if (call.request.method !== 'POST') throw methodError(call, ['POST', 'OPTIONS']);
    // The response does not reveal whether a token was valid.
    await signing.countViewable(call.request);
    return noContent(call);
  };
}

/** A step with functions around it; the first is the outermost. Each of them gets a response for every error inside. */
function surround<Stream, Call extends ApiCall>(
  around: readonly Around<Stream, Call>[],
  innermost: Step<Stream>,
  docsUrl: string,
): Step<Stream> {
  return around.reduceRight(
    (inner, layer) => async (call) =>
      layer(call as ApiCall as Call, () => inner(call).catch((error) => failed(call, error, docsUrl))),
    innermost,
  );
}

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

/** Creates the innermost step of a call, which responds from the cache or by the operation of its endpoint. */
function createOperate(operations: Operations, cache: ResponseCache | undefined) {
  return async (call: IncomingCall): Promise<CallResponse> => {
    const { request, caller, endpoint: id } = call;
    const blog = await call.findBlog();
    if (!id) throw routeError(call);
    const endpoint: Endpoint = ENDPOINTS[id];
    const key = endpoint.effect === 'read' && id !== 'preview' ? cacheKey(blog, request) : undefined;
    const cached = key === undefined ? undefined : cache?.get(key);
    if (cached) return readResponse(call, cached, blog.revision);

    // A body of a wrong type or size is reported first.
    const parts = { body: await call.body(), params: call.params, query: call.query };
    for (const { error } of [parts.body, parts.params, parts.query]) if (error) throw error;
    const input = {
      blog,
      body: parts.body.value,
      params: parts.params.value,
      query: parts.query.value,
      previewedId: call.previewedId,
      apiKey: request.header('x-api-key') ?? '',
      ip: caller.ip,
      provenance: { origin: request.header('origin') ?? caller.origin, referer: request.header('referer') },
      userAgent: request.header('user-agent'),
      purpose: request.header('sec-purpose'),
    };
    // The parts were read by the rules of this endpoint, but the endpoint is known only at run time.
    const result = await (operations[id] as AnyOperation)(input as OperationInput<EndpointId>);
    call.impressions = result.impressions ?? 0;
    call.click = result.click;

    const body = encode(endpoint, result);
    if (endpoint.effect === 'read') {
      if (key !== undefined) cache?.offer(key, { id, body });
      return readResponse(call, { id, body }, blog.revision);
    }
    return effectResponse(call, body, {
      ...(endpoint.effect === 'delivery' && { 'broadsheet-viewable': VIEWABLE_PATH }),
      ...(result.replayed && { 'idempotency-replayed': 'true' }),
      ...(call.acceptsKeys && { 'idempotency-accepted': 'true' }),
    });
  };
}

function routeError(call: IncomingCall): ApiError {
  const { route, url } = call;
  if (route.found === 'path') return methodError(call, route.allow);
  return new ApiError('NOT_FOUND', { message: `There is nothing at ${url.pathname}.` });
}

function methodError({ request, url }: IncomingCall, allowed: readonly string[]): ApiError {
  const allow = allowed.join(', ');
  const message = `${request.method} is not allowed for ${url.pathname}; use ${allow}.`;
  return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
}

/** The response to a call in which any error was thrown. */
function failed(call: CallOutcome, cause: unknown, docsUrl: string): CallResponse {
  const code = cause instanceof StoreUnavailable ? 'UNAVAILABLE' : 'INTERNAL_ERROR';
  call.error = isApiError(cause) ? cause : new ApiError(code, { cause });
  const response = errorResponse(call.error, call.requestId, docsUrl);
  if (call.acceptsKeys) response.headers['idempotency-accepted'] = 'true';
  return call.request.method === 'HEAD' ? { ...response, body: null } : response;
}

/** Creates the function that reports a response, and returns it unchanged, even if the observer throws. */
function createReport(observer: Observer | undefined, clock: Clock) {
  let broken = false;
  return <R extends CallResponse<unknown>>(call: CallOutcome, response: R): R => {
    try {
      observer?.observe({
        requestId: call.requestId,
        method: call.request.method,
        endpoint: call.isBeacon ? 'viewable' : call.blog && call.endpoint,
        blogId: call.blog?.id,
        status: response.status,
        code: call.error?.code,
        ms: clock.now() - call.startedAt,
        impressions: call.impressions ?? 0,
        click: call.click,
        cause: call.error?.details.cause,
      });
      broken = false;
    } catch (error) {
      if (!broken) observer?.onError(error);
      broken = true;
    }
    return response;
  };
}
