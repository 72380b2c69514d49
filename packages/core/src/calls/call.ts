import {
  type BodyOf,
  type EndpointId,
  findRoute,
  type ParamsOf,
  type QueryOf,
  REQUESTS,
  type RequestRules,
  type Route,
} from '@broadsheet/contract';
import type { Previewed } from '../content/preview.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { ApiResponse, ResponseBody } from '../http/response.ts';
import type { Clock, Random } from '../ports.ts';
import type { Blog, ClickOutcome, FindBlog } from '../store.ts';
import { type RequestPart, readBody, readParams, readQuery } from './read-parts.ts';

/** Where pages report viewable ads, below the base URL; delivery responses name it in `Broadsheet-Viewable`. */
export const VIEWABLE_PATH = '/measure/viewable';

/** The caller, as far as the door knows it; the request itself does not contain this. */
export interface Caller {
  /** The caller's IP address. */
  readonly ip?: string | undefined;
  /** The page's origin, where the `Origin` header cannot be seen (a service worker). */
  readonly origin?: string | undefined;
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
