import { type Around, type Step, surround } from './calls/around.ts';
import { type ApiCall, type BlogCall, type Caller, type CallResponse, IncomingCall } from './calls/call.ts';
import { createOperate, methodError } from './calls/operate.ts';
import { type CallOutcome, createReport, failed, type Observer } from './calls/outcome.ts';
import { contentOperations } from './content/content-operations.ts';
import { createDuePublisher } from './content/due-posts.ts';
import { type ApiRequest, fromRequest } from './http/request.ts';
import { buffered, noContent, preflight, readResponse, toFetch } from './http/response.ts';
import { cacheKey, type ResponseCache } from './http/response-cache.ts';
import type { Ports } from './ports.ts';
import { createSigning, type Signing } from './signing.ts';
import type { Blog, ContentStore, FindBlog } from './store.ts';

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
