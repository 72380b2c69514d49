import {
  type BodyOf,
  ENDPOINTS,
  type EndpointId,
  findRoute,
  type ParamsOf,
  type QueryOf,
  type Route,
} from '@broadsheet/contract';
import { VIEWABLE_PATH } from '../ads/viewable.ts';
import type { FindBlog } from '../content/due-posts.ts';
import type { Previewed } from '../content/preview.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Blog, ClickOutcome } from '../store.ts';
import { NO_PART, type RequestPart, readBody, readParams, readQuery } from './parts.ts';

/** The caller, as far as the door knows it; the request itself does not contain this. */
export interface Caller {
  /** The caller's IP address. */
  readonly ip?: string | undefined;
  /** The page's origin, where the `Origin` header cannot be seen (a service worker). */
  readonly origin?: string | undefined;
}

/** The members of every call. Each part is read when it is first used, and only once. */
interface AnyCall {
  /** `req_<uuid>`, as the response carries it. */
  readonly requestId: string;
  /** The object that the door handed over. */
  readonly request: ApiRequest;
  readonly caller: Caller;
  readonly url: URL;
  /** Whether it is for reports of viewable ads, which need no key: the tokens in the body name their blogs. */
  readonly isBeacon: boolean;
  /**
   * Finds the blog that the key of the call opens, or the blog of its preview token.
   *
   * @throws ApiError `UNAUTHORIZED`
   */
  findBlog(): Promise<Blog>;
  /** That blog, once it is found. */
  readonly blog: Blog | undefined;
  /** Why the call failed, including an error that a surrounding function threw. */
  readonly error: ApiError | undefined;
  /** Impressions that the call counted. */
  readonly impressions: number;
  /** The outcome of the click that the call reported. */
  readonly click: ClickOutcome | undefined;
}

/** A call of an endpoint, with its parts as the rules of the endpoint read them. */
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

/** The parts of a request that were read so far. */
interface ReadParts {
  url?: URL;
  route?: Route;
  endpoint?: EndpointId | undefined;
  params?: RequestPart;
  query?: RequestPart;
  body?: Promise<RequestPart>;
}

/** What a call needs to know about its API. */
export interface CallTarget {
  readonly findBlog: FindBlog;
  findPreview(request: ApiRequest): Promise<Previewed>;
  readonly basePath: string;
  newRequestId(): string;
}

/** The only implementation of {@link ApiCall}; the API records the outcome of the call in it. */
export class IncomingCall {
  readonly requestId: string;
  readonly request: ApiRequest;
  readonly caller: Caller;
  blog: Blog | undefined = undefined;
  error: ApiError | undefined = undefined;
  impressions = 0;
  click: ClickOutcome | undefined = undefined;
  /** The id of the post that the preview token of the call opens. */
  previewedId: string | undefined = undefined;
  readonly #target: CallTarget;
  readonly #parts: ReadParts;

  constructor(target: CallTarget, request: ApiRequest, caller: Caller, parts: ReadParts = {}) {
    this.requestId = target.newRequestId();
    this.request = request;
    this.caller = caller;
    this.#target = target;
    this.#parts = parts;
  }

  /** The same request as a call of another API; its parts are not read again. */
  static again(call: ApiCall, target: CallTarget): IncomingCall {
    const before = call as unknown as IncomingCall;
    return new IncomingCall(target, before.request, before.caller, before.#parts);
  }

  get url(): URL {
    this.#parts.url ??= new URL(this.request.url);
    return this.#parts.url;
  }

  get route(): Route {
    this.#parts.route ??= this.#findRoute();
    return this.#parts.route;
  }

  get endpoint(): EndpointId | undefined {
    if (this.#parts.endpoint) return this.#parts.endpoint;
    return this.route.found === 'endpoint' ? this.route.id : undefined;
  }

  /** A cached response knows its endpoint, so the URL need not be parsed. */
  set endpoint(id: EndpointId) {
    this.#parts.endpoint = id;
  }

  get params(): RequestPart {
    this.#parts.params ??= this.route.found === 'endpoint' ? readParams(this.route.id, this.route.params) : NO_PART;
    return this.#parts.params;
  }

  get query(): RequestPart {
    this.#parts.query ??= this.endpoint ? readQuery(this.endpoint, this.url) : NO_PART;
    return this.#parts.query;
  }

  /**
   * Whether the response says that idempotency keys are accepted: that to a delivery with a valid key, and that of
   * `tracking/impression`, which has no effect and so lets a client ask. The query is not read for this: a request that
   * was refused before must cost nothing.
   */
  get acceptsKeys(): boolean {
    if (this.request.url.includes(ENDPOINTS['ads.impression'].path)) return this.endpoint === 'ads.impression';
    // A function around the call, such as the mock's journal, may read the query before the key is checked.
    if (!this.blog) return false;
    return (this.#parts.query?.value as QueryOf<'ads.deliver'> | undefined)?.idempotencyKey !== undefined;
  }

  get isBeacon(): boolean {
    // Checked before parsing, because a cached response is sent without parsing the URL.
    if (!this.request.url.includes(VIEWABLE_PATH)) return false;
    return this.url.pathname === this.#target.basePath + VIEWABLE_PATH;
  }

  body(): Promise<RequestPart> {
    this.#parts.body ??= this.endpoint ? readBody(this.endpoint, this.request) : Promise.resolve(NO_PART);
    return this.#parts.body;
  }

  async findBlog(): Promise<Blog> {
    if (this.blog) return this.blog;
    // The text of the URL is searched first, because parsing every URL is slow.
    if (this.request.url.includes(ENDPOINTS.preview.path) && this.endpoint === 'preview') return this.#findPreview();
    const apiKey = this.request.header('x-api-key');
    if (!apiKey) throw new ApiError('UNAUTHORIZED', { message: 'The X-API-Key header is missing.' });
    return this.#open(await this.#target.findBlog(apiKey));
  }

  async #findPreview(): Promise<Blog> {
    const { blog, postId } = await this.#target.findPreview(this.request);
    this.previewedId = postId;
    return this.#open(blog);
  }

  #open(blog: Blog | undefined): Blog {
    if (!blog) throw new ApiError('UNAUTHORIZED', { message: 'The API key is not valid.' });
    this.blog = blog;
    return blog;
  }

  #findRoute(): Route {
    const { pathname } = this.url;
    const { basePath } = this.#target;
    return pathname.startsWith(`${basePath}/`)
      ? findRoute(this.request.method, pathname.slice(basePath.length))
      : { found: 'nothing' };
  }
}

/** What is known of a call once it has its response: a cached response needs nothing else of it. */
export type CallOutcome = Pick<IncomingCall, 'requestId' | 'request' | 'endpoint' | keyof typeof NO_OUTCOME>;

/** The outcome of a read before it has its response. */
export const NO_OUTCOME = {
  blog: undefined,
  error: undefined,
  impressions: 0,
  click: undefined,
  isBeacon: false,
  acceptsKeys: false,
} as const;
