import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { ApiError } from '../http/api-error.ts';
import { effectResponse, encode, readResponse } from '../http/response.ts';
import { cacheKey, type ResponseCache } from '../http/response-cache.ts';
import { type CallResponse, type IncomingCall, VIEWABLE_PATH } from './call.ts';
import type { OperationInput, OperationResult, Operations } from './operations.ts';

type AnyOperation = (input: OperationInput<EndpointId>) => Promise<OperationResult<EndpointId>>;

/** Creates the innermost step of a call, which responds from the cache or by the operation of its endpoint. */
export function createOperate(operations: Operations, cache: ResponseCache | undefined) {
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
  return new ApiError('NO_SUCH_ENDPOINT', { message: `There is no endpoint at ${url.pathname}.` });
}

export function methodError({ request, url }: IncomingCall, allowed: readonly string[]): ApiError {
  const allow = allowed.join(', ');
  const message = `${request.method} is not allowed for ${url.pathname}; use ${allow}.`;
  return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
}
