import {
  accept,
  type BodyOf,
  type EndpointId,
  type FieldError,
  findRoute,
  LIMITS,
  type ParamsOf,
  type QueryOf,
  REQUESTS,
  type RecordRule,
  type RequestRules,
  type Route,
} from '@broadsheet/contract';
import type { Previewed } from '../content/preview.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { ApiResponse, ResponseBody } from '../http/response.ts';
import type { Clock, Random } from '../ports.ts';
import type { Blog, ClickOutcome, FindBlog } from '../store.ts';

/** Where pages report viewable ads, below the base URL; delivery responses name it in `Broadsheet-Viewable`. */
export const VIEWABLE_PATH = '/measure/viewable';

/** The caller, as far as the door knows it; the request itself does not contain this. */
export interface Caller {
  /** The caller's IP address. */
  readonly ip?: string | undefined;
  /** The page's origin, where the `Origin` header cannot be seen (a service worker). */
  readonly origin?: string | undefined;
}

/** One part of a request (parameters, query or body), read by the rules of its endpoint. */
export interface RequestPart<T = unknown> {
  /** The value; `undefined` if the endpoint takes no such part, or if there is an {@link error}. */
  readonly value: T | undefined;
  /** Why the part is refused. */
  readonly error: ApiError | undefined;
}

/** The members of every call. */
type AnyCall = Readonly<
  Pick<IncomingCall, 'requestId' | 'request' | 'caller' | 'url' | 'blog' | 'error' | 'impressions' | 'click'>
>;

/** A call of an endpoint, with its parts as the rules of the endpoint read them: when first used, and only once. */
export interface EndpointCall<Id extends EndpointId> extends AnyCall {
  readonly endpoint: Id;
  readonly params: RequestPart<ParamsOf<Id>>;
  readonly query: RequestPart<QueryOf<Id>>;
  /** Reads the body; rejects when it cannot be received. */
  body(): Promise<RequestPart<BodyOf<Id>>>;
}

/** A call that matches no endpoint: the response is 404 or 405. */
export interface StrayCall extends AnyCall {
  readonly endpoint: undefined;
}

/**
 * A request on its way through the API.
 *
 * @example
 * ```ts
 * if (call.endpoint === 'search') console.log(call.query.value?.q ?? call.query.error?.message);
 * ```
 */
export type ApiCall = { readonly [Id in EndpointId]: EndpointCall<Id> }[EndpointId] | StrayCall;

/** A call whose key is valid, with the blog of the key. */
export type BlogCall = ApiCall & { readonly blog: Blog };

/** A response inside the API; `Stream` is what a surrounding function may send instead of a body. */
export type CallResponse<Stream = never> = ApiResponse<ResponseBody | Stream>;

/**
 * A function around the calls of an API, such as a fault of the mock. It may respond without calling `next`, change the
 * response of `next`, or throw an `ApiError` before or after it; `next` runs the inner functions and never rejects.
 *
 * @example
 * ```ts
 * const slow: Around = async (call, next) => {
 *   if (call.endpoint === 'search') await pause(call.query.value?.q.length ?? 0);
 *   return next();
 * };
 * ```
 */
export type Around<Stream = never, Call extends ApiCall = ApiCall> = (
  call: Call,
  next: () => Promise<CallResponse<Stream>>,
) => Promise<CallResponse<Stream>>;

/** The parts of a request that were read so far. */
interface ReadParts {
  params?: RequestPart;
  query?: RequestPart;
  body?: Promise<RequestPart>;
}

/** The parts of its API that a call needs. */
export interface CallTarget {
  readonly clock: Clock;
  readonly random: Random;
  readonly findBlog: FindBlog;
  findPreview(request: ApiRequest): Promise<Previewed>;
  readonly basePath: string;
}

/** The facts about a call once it has its response; for a cached response, the URL is not parsed. */
export interface CallOutcome extends Pick<IncomingCall, 'requestId' | 'startedAt' | 'request' | 'endpoint' | 'blog'> {
  error?: ApiError | undefined;
  readonly impressions?: number;
  readonly click?: ClickOutcome | undefined;
  readonly isBeacon?: boolean;
  readonly acceptsKeys?: boolean;
}

/** The only implementation of {@link ApiCall}; the API records the outcome of the call in it. */
export class IncomingCall {
  /** `req_<uuid>`, as the response carries it. */
  readonly requestId: string;
  readonly startedAt: number;
  /** The request as the door passed it. */
  readonly request: ApiRequest;
  readonly caller: Caller;
  readonly url: URL;
  readonly route: Route;
  readonly endpoint: EndpointId | undefined;
  /** Whether it reports viewable ads. Such a call needs no key, because the tokens in the body name their blogs. */
  readonly isBeacon: boolean;
  /** The blog, once it is found. */
  blog: Blog | undefined = undefined;
  /** Why the call failed, including an error that a surrounding function threw. */
  error: ApiError | undefined = undefined;
  /** Impressions that the call counted. */
  impressions = 0;
  /** The outcome of the click that the call reported. */
  click: ClickOutcome | undefined = undefined;
  /** The id of the post that the preview token of the call opens. */
  previewedId: string | undefined = undefined;
  readonly #target: CallTarget;
  readonly #rules: RequestRules;
  readonly #parts: ReadParts;

  constructor(target: CallTarget, request: ApiRequest, caller: Caller, parts: ReadParts = {}) {
    const { basePath } = target;
    this.requestId = `req_${target.random.uuid()}`;
    this.startedAt = target.clock.now();
    this.request = request;
    this.caller = caller;
    this.url = new URL(request.url);
    const { pathname } = this.url;
    const isBelow = pathname.startsWith(`${basePath}/`);
    this.route = isBelow ? findRoute(request.method, pathname.slice(basePath.length)) : { found: 'nothing' };
    this.endpoint = this.route.found === 'endpoint' ? this.route.id : undefined;
    this.isBeacon = pathname === basePath + VIEWABLE_PATH;
    this.#target = target;
    this.#rules = this.endpoint ? REQUESTS[this.endpoint] : {};
    this.#parts = parts;
  }

  /** The same request as a call of another API; its parts are not read again. */
  static again(call: ApiCall, target: CallTarget): IncomingCall {
    const before = call as unknown as IncomingCall;
    return new IncomingCall(target, before.request, before.caller, before.#parts);
  }

  get params(): RequestPart {
    const { params: rule } = this.#rules;
    if (rule && this.route.found === 'endpoint') this.#parts.params ??= readParams(rule, this.route.params);
    return this.#parts.params ?? NO_PART;
  }

  get query(): RequestPart {
    const { query: rule } = this.#rules;
    if (rule) this.#parts.query ??= readQuery(rule, this.url);
    return this.#parts.query ?? NO_PART;
  }

  body(): Promise<RequestPart> {
    const { body: rule } = this.#rules;
    if (rule) this.#parts.body ??= readBody(rule, this.request);
    return this.#parts.body ?? NO_BODY;
  }

  /**
   * Whether the response says that idempotency keys are accepted. This is the case for a delivery with a valid key, and
   * for `tracking/impression`, which has no effect, so a client can use it to find out. The query is not read for this,
   * because a request that was already refused must cost nothing.
   */
  get acceptsKeys(): boolean {
    if (this.endpoint === 'ads.impression') return true;
    // A function around the call, such as the mock's journal, may read the query before the key is checked.
    if (!this.blog) return false;
    return (this.#parts.query?.value as QueryOf<'ads.deliver'> | undefined)?.idempotencyKey !== undefined;
  }

  /**
   * Finds the blog that the key of the call opens, or the blog of its preview token.
   *
   * @throws ApiError `UNAUTHORIZED`
   */
  async findBlog(): Promise<Blog> {
    if (this.blog) return this.blog;
    if (this.endpoint === 'preview') {
      const { blog, postId } = await this.#target.findPreview(this.request);
      this.previewedId = postId;
      this.blog = blog;
      return blog;
    }
    const apiKey = this.request.header('x-api-key');
    if (!apiKey) throw new ApiError('UNAUTHORIZED', { message: 'The X-API-Key header is missing.' });
    this.blog = await this.#target.findBlog(apiKey);
    if (!this.blog) throw new ApiError('UNAUTHORIZED', { message: 'The API key is not valid.' });
    return this.blog;
  }
}

/** A part that the endpoint does not accept. */
const NO_PART: RequestPart = { value: undefined, error: undefined };
const NO_BODY = Promise.resolve(NO_PART);

/** Reads the parameters of a path; an escape that is not UTF-8 is an error. */
function readParams(rule: RecordRule, encoded: Readonly<Record<string, string>>): RequestPart {
  const params: Record<string, string> = {};
  for (const [name, text] of Object.entries(encoded)) {
    try {
      params[name] = decodeURIComponent(text);
    } catch {
      const message = `${name}: ${JSON.stringify(text)} contains a malformed percent-escape`;
      return refused([{ field: name, message, code: 'invalid_encoding' }]);
    }
  }
  return read(rule, params);
}

/** Reads the query parameters that the endpoint knows and ignores others; a repeated parameter is an error. */
function readQuery(rule: RecordRule, url: URL): RequestPart {
  const query: Record<string, string | string[]> = {};
  // Creating `searchParams` is slow.
  const names = url.search === '' ? [] : Object.keys(rule.fields);
  for (const name of names) {
    const values = url.searchParams.getAll(name);
    const [first] = values;
    if (first !== undefined) query[name] = values.length === 1 ? first : values;
  }
  return read(rule, query);
}

/** Reads a body that must be JSON. */
async function readBody(rule: RecordRule, request: ApiRequest): Promise<RequestPart> {
  try {
    return read(rule, await readJsonBody(request));
  } catch (error) {
    if (error instanceof ApiError) return { value: undefined, error };
    throw error;
  }
}

function read(rule: RecordRule, input: unknown): RequestPart {
  const result = accept(rule, input);
  return result.ok ? { value: result.value, error: undefined } : refused(result.fields);
}

const refused = (fields: readonly FieldError[]): RequestPart => ({
  value: undefined,
  error: new ApiError('VALIDATION_ERROR', { fields }),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body that must be JSON.
 *
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `INVALID_JSON`, checked in this order
 */
export async function readJsonBody(request: ApiRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be sent as application/json, not ${mediaType ? JSON.stringify(mediaType) : 'without a Content-Type'}.`,
    });
  }
  const bytes = await request.body(LIMITS.body);
  if (!bytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${LIMITS.body} bytes.` });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new ApiError('INVALID_JSON', {
      message: `The body is not valid JSON: ${bytes.byteLength === 0 ? 'it is empty' : (error as Error).message}.`,
    });
  }
}
