import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { VIEWABLE_PATH } from './ads/viewable.ts';
import type { Around, CallAnswer } from './calls/around.ts';
import { type ApiCall, type Caller, IncomingCall } from './calls/call.ts';
import type { OperationInput, OperationResult, Operations } from './calls/operation.ts';
import type { RequestPart } from './calls/parts.ts';
import { contentOperations } from './content/content-operations.ts';
import { createBlogFinder } from './content/due-posts.ts';
import { type ApiAnswer, buffered, toResponse } from './http/answer.ts';
import type { AnswerCache } from './http/answer-cache.ts';
import { ApiError, isApiError } from './http/api-error.ts';
import { type ApiRequest, fromRequest } from './http/request.ts';
import { content, encode, errorAnswer, noContent, preflight, successHeaders } from './http/respond.ts';
import type { Clock, Hmac, Ports, Random } from './ports.ts';
import { createSigning, type Signing } from './signing.ts';
import { type ApiStore, type Awaitable, type Blog, type ContentStore, isPromise, StoreUnavailable } from './store.ts';

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
  /** Caches encoded content per blog revision; none by default. See `createAnswerCache`. */
  readonly cache?: AnswerCache | undefined;
  /** Functions around every call except a CORS preflight, outermost first. */
  readonly around?: readonly Around<Stream>[];
}

/** The whole API as one function from a `Request` to a `Response`. */
export interface BlogApi<Stream = never> {
  /** Answers a request; never rejects. */
  fetch(request: Request, caller?: Caller): Promise<Response>;
  /** Like `fetch`, for a door that has the parts of a request instead of a `Request`; never rejects. */
  answer(request: ApiRequest, caller?: Caller): Promise<ApiAnswer<string | Uint8Array<ArrayBuffer> | Stream>>;
  /**
   * Like `answer`, for a door that can send a body in chunks: large bodies are not copied. A cached answer is returned
   * synchronously, without a promise; never throws or rejects.
   */
  answerChunks(request: ApiRequest, caller?: Caller): Awaitable<CallAnswer<Stream>>;
  /** Answers a call of another API, such as one over a copy of the store, without reading the request again. */
  repeat(call: ApiCall): Promise<ApiAnswer<string | Uint8Array<ArrayBuffer> | Stream>>;
}

type Step<Stream> = (call: IncomingCall) => Awaitable<CallAnswer<Stream>>;

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
  signingOf: (findBlog: ContentStore['findBlog']) => Signing,
): BlogApi<Stream> {
  const { store, clock, random, docsUrl, basePath = '', around = [] } = options;
  const newRequestId = () => `req_${random.uuid()}`;
  const findBlog = createBlogFinder(store, clock);
  const signing = signingOf(findBlog);
  const target = { findBlog, findPreview: signing.findPreview, basePath, newRequestId };
  const handle = around.reduceRight<Step<Stream>>(
    (next, layer) => guarded((call) => layer(call as ApiCall, () => next(call))),
    guarded(createOperate(options, signing)),
  );

  return {
    fetch: async (request, caller) => toResponse(buffered(await answer(fromRequest(request), caller))),
    answer: async (request, caller) => buffered(await answer(request, caller)),
    answerChunks: answer,
    repeat: async (call) => buffered(await handle(IncomingCall.again(call, target))),
  };

  /** A cached answer is returned synchronously: awaiting promises would take longer than the rest of the call. */
  function answer(request: ApiRequest, caller: Caller = {}): Awaitable<CallAnswer<Stream>> {
    return request.method === 'OPTIONS'
      ? preflight(request, newRequestId())
      : handle(new IncomingCall(target, request, caller));
  }

  /** Turns any error that a step throws into an answer, so that the steps around it always see an answer. */
  function guarded(step: Step<Stream>): Step<Stream> {
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
    if (call.acceptsKeys) answer.headers['idempotency-accepted'] = 'true';
    return call.request.method === 'HEAD' ? { ...answer, body: null } : answer;
  }
}

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

/** The innermost step: finds the blog of the key and answers from the cache or by the operation of the endpoint. */
function createOperate<Stream>(options: AssemblyOptions<Stream>, signing: Signing): Step<never> {
  const { cache } = options;
  const operations: Operations = { ...contentOperations(options), ...signing.operations };

  return (call) => {
    if (call.isBeacon && call.request.method !== 'POST') throw methodError(call, ['POST', 'OPTIONS']);
    // The response does not reveal whether a token was valid.
    if (call.isBeacon) return signing.countViewable(call.request).then(() => noContent(call.requestId));
    const blog = call.findBlog();
    return isPromise(blog) ? blog.then((found) => answerFor(found, call)) : answerFor(blog, call);
  };

  function answerFor(blog: Blog, call: IncomingCall): Awaitable<CallAnswer> {
    const { request, requestId } = call;
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerAnew(blog, call);
    // The key contains the unparsed URL, so a cached answer is found without parsing it.
    const key = `${blog.id} ${blog.revision} ${request.url}`;
    const found = cache?.get(key);
    if (!found) return answerAnew(blog, call, key);
    call.endpoint = found.id;
    return content(request, found.body, successHeaders(ENDPOINTS[found.id], requestId, `"${blog.revision}"`));
  }

  /** @param key the key under which the answer may be cached */
  async function answerAnew(blog: Blog, call: IncomingCall, key?: string): Promise<CallAnswer> {
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
