import {
  type BodyOf,
  type DataOf,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type MetaOf,
  type ParamsOf,
  type QueryOf,
} from '@broadsheet/contract';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import { effectResponse, encode, isRead, noContent, readResponse } from '../http/respond.ts';
import type { MaybeEncoded } from '../http/response.ts';
import { cacheKey, type ResponseCache } from '../http/response-cache.ts';
import type { Blog, ClickOutcome } from '../store.ts';
import { type CallResponse, type IncomingCall, type RequestPart, VIEWABLE_PATH } from './call.ts';

/** The page that sent a request, as far as its headers name it. */
export interface Provenance {
  readonly origin: string | null | undefined;
  readonly referer: string | null | undefined;
}

/** The input of an operation: a request that passed every check. */
export interface OperationInput<Id extends EndpointId> {
  readonly blog: Blog;
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The id of the post that the preview token of the request opens. */
  readonly previewedId: string | undefined;
  readonly apiKey: string;
  /** The caller's IP address, if it is known. */
  readonly ip: string | undefined;
  readonly provenance: Provenance;
  readonly userAgent: string | null;
  /** The header `Sec-Purpose`. */
  readonly purpose: string | null;
}

/** The result of an operation, before it is encoded. */
export interface OperationResult<Id extends EndpointId> {
  readonly data: MaybeEncoded<Readonly<DataOf<Id>>>;
  readonly meta?: MetaOf<Id>;
  /** Impressions that this call counted. */
  readonly impressions?: number;
  /** Whether a delivery was counted before, under the same idempotency key. */
  readonly replayed?: boolean;
  readonly click?: ClickOutcome;
}

/** One function per row of the endpoint table. */
export type Operations = {
  readonly [Id in EndpointId]: (input: OperationInput<Id>) => Promise<OperationResult<Id>>;
};

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

/** The innermost step of a call: finds the blog of the key and responds from the cache or by the operation. */
export function createOperate(
  operations: Operations,
  countViewable: (request: ApiRequest) => Promise<void>,
  cache: ResponseCache | undefined,
) {
  return async (call: IncomingCall): Promise<CallResponse> => {
    const { request } = call;
    if (call.isBeacon) {
      if (request.method !== 'POST') throw methodError(call, ['POST', 'OPTIONS']);
      // The response does not reveal whether a token was valid.
      await countViewable(request);
      return noContent(call);
    }
    const blog = await call.findBlog();
    const key = isRead(request) ? cacheKey(blog, request) : undefined;
    const cached = key === undefined ? undefined : cache?.get(key);
    if (cached) return readResponse(call, cached, blog.revision);

    const { endpoint: id } = call;
    if (!id) throw routeError(call);
    // The input was read by the rules of this endpoint, but the endpoint is known only at run time.
    const result = await (operations[id] as AnyOperation)((await inputOf(call, blog)) as OperationInput<EndpointId>);
    call.impressions = result.impressions ?? 0;
    call.click = result.click;

    const { effect }: Endpoint = ENDPOINTS[id];
    const body = encode(ENDPOINTS[id], result);
    if (effect === 'read') {
      if (key !== undefined && id !== 'preview') cache?.offer(key, { id, body });
      return readResponse(call, { id, body }, blog.revision);
    }
    return effectResponse(call, body, {
      ...(effect === 'delivery' && { 'broadsheet-viewable': VIEWABLE_PATH }),
      ...(result.replayed && { 'idempotency-replayed': 'true' }),
      ...(call.acceptsKeys && { 'idempotency-accepted': 'true' }),
    });
  };
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
  const message = `${request.method} is not allowed for ${url.pathname}; use ${allow}.`;
  return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
}
