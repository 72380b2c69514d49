import type { Endpoint, EndpointId, ErrorCode } from '@broadsheet/contract';
import { apiError, ResponseError } from './error-kinds.ts';
import type { BroadsheetError, ErrorFacts } from './errors.ts';
import type { Incoming } from './exchange.ts';
import type { FieldError } from './models.ts';

/** What a success carries, however it was wrapped. */
export interface Payload {
  readonly data: unknown;
  readonly meta: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads an answer: the payload of a success in either of its forms (api.md 4.1 and 4.8).
 *
 * @throws ApiError when the answer is a failure; ResponseError when it is no answer of this API.
 */
export function readAnswer(id: EndpointId, endpoint: Endpoint, { status, headers, text }: Incoming): Payload {
  const requestId = headers.get('x-request-id') ?? undefined;
  const facts = { status, requestId, endpoint: id };
  const ok = status >= 200 && status < 300;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw ok ? notJson(id, text, headers, facts, cause) : failure(id, undefined, text, headers, facts);
  }
  if (!ok || (isFields(body) && body['success'] === false)) throw failure(id, body, text, headers, facts);
  return endpoint.form === 'bare' ? { data: body, meta: undefined } : unwrap(body, endpoint);
}

function unwrap(body: unknown, { pagination }: Endpoint): Payload {
  if (!isFields(body)) return { data: body, meta: undefined };
  if (body['success'] === true) return { data: body['data'], meta: body['meta'] };
  if (pagination !== 'page' || !('posts' in body)) return { data: body, meta: undefined };
  const { posts, page, totalPages } = body;
  const hasNextPage = Number(page) < Number(totalPages);
  const hasPrevPage = Number(page) > 1;
  return {
    data: posts,
    meta: {
      pagination: { page, pageSize: body['pageSize'], total: body['total'], totalPages, hasNextPage, hasPrevPage },
    },
  };
}

type Facts = Pick<ErrorFacts, 'status' | 'requestId' | 'endpoint'>;

function notJson(id: EndpointId, text: string, headers: Headers, facts: Facts, cause: unknown): BroadsheetError {
  const html = /^\s*</.test(text) || /\bhtml\b/.test(headers.get('content-type') ?? '');
  const what = html ? 'a page of HTML' : text === '' ? 'an empty body' : 'something that is not valid JSON';
  return new ResponseError(`${id}: the server answered ${facts.status} with ${what}; check that baseUrl is the API.`, {
    ...facts,
    code: html ? 'RESPONSE_NOT_JSON' : 'RESPONSE_INVALID_JSON',
    phase: 'parse',
    body: excerpt(text),
    // A cut that the transport did not notice looks like this; a page of HTML will come again.
    retryable: !html,
    cause,
  });
}

/** The code of a failure that does not say its own, such as `{ error: 'text' }` of api.md 4.8. */
export const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'ORIGIN_NOT_ALLOWED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CLICK_TOKEN_USED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
};

const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

function failure(id: EndpointId, body: unknown, text: string, headers: Headers, facts: Facts): BroadsheetError {
  const { status: httpStatus = 0, requestId } = facts;
  const said = isFields(body) ? body['error'] : undefined;
  const error: Fields = isFields(said) ? said : { message: said };
  const string = (name: string): string | undefined => (typeof error[name] === 'string' ? error[name] : undefined);
  const own = Number(error['statusCode']);
  const status = httpStatus < 400 && own >= 400 ? own : httpStatus;
  const message = string('message') ?? (isFields(body) && typeof body['message'] === 'string' ? body['message'] : '');
  const details = error['details'];
  return apiError(status, `${id}: ${message || `the server answered ${status}`}`, {
    ...facts,
    phase: 'answer',
    code: string('code') ?? CODE_BY_STATUS[status] ?? `HTTP_${status}`,
    type: string('type'),
    retryable: typeof error['retryable'] === 'boolean' ? error['retryable'] : TRANSIENT.includes(status),
    requestId: string('requestId') ?? requestId,
    docs: string('docs'),
    fields: isFields(details) && Array.isArray(details['fields']) ? (details['fields'] as FieldError[]) : undefined,
    body: isFields(said) ? undefined : excerpt(text),
    retryAfter: readRetryAfter(headers.get('retry-after')),
  });
}

const excerpt = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** Milliseconds of a `Retry-After`: seconds or an HTTP date. */
export function readRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
