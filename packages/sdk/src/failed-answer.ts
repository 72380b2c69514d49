import type { Endpoint, EndpointId, ErrorCode } from '@broadsheet/contract';
import type { Fields } from './answer.ts';
import { apiError } from './api-error.ts';
import type { ErrorFacts, FieldError } from './error-facts.ts';
import { ResponseError } from './error-kinds.ts';
import type { BroadsheetError } from './errors.ts';
import type { Incoming } from './exchange.ts';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was asked for. */
export interface Asked extends Pick<Endpoint, 'path'> {
  readonly id: EndpointId;
  readonly url: string;
}

/** The error of an answer that is no success. `body` is what its JSON gave, `cause` why it gave nothing. */
export function failedAnswer(
  asked: Asked,
  { status, headers, text }: Incoming,
  body: unknown,
  cause: unknown,
): BroadsheetError {
  const facts = { status, requestId: headers.get('x-request-id') ?? undefined, endpoint: asked.id };
  const ok = status >= 200 && status < 300;
  return ok && cause !== undefined
    ? notJson(asked, text, headers, facts, cause)
    : failure(asked, body, text, headers, facts);
}

interface Facts extends Pick<ErrorFacts, 'requestId' | 'endpoint'> {
  readonly status: number;
}

function notJson({ id, url }: Asked, text: string, headers: Headers, facts: Facts, cause: unknown): BroadsheetError {
  const html = /^\s*</.test(text) || /\bhtml\b/.test(headers.get('content-type') ?? '');
  const what = html ? 'a page of HTML' : text === '' ? 'an empty body' : 'something that is not valid JSON';
  const message = `${id}: the server answered ${facts.status} with ${what}. Check that baseUrl is the API. (${url})`;
  return new ResponseError(message, {
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

/** What may pass by itself when the answer does not say. */
export const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

function failure(asked: Asked, body: unknown, text: string, headers: Headers, facts: Facts): BroadsheetError {
  const { status: httpStatus, requestId } = facts;
  const said = isFields(body) ? body['error'] : undefined;
  const error: Fields = isFields(said) ? said : { message: said };
  const string = (name: string): string | undefined => (typeof error[name] === 'string' ? error[name] : undefined);
  const own = Number(error['statusCode']);
  const status = httpStatus < 400 && own >= 400 ? own : httpStatus;
  const message = string('message') ?? (isFields(body) && typeof body['message'] === 'string' ? body['message'] : '');
  const details = error['details'];
  return apiError(
    status,
    `${asked.id}: ${sentence(message || `the server answered ${status}`)}${repair(status, asked)} (${asked.url})`,
    {
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
    },
  );
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What the developer may do about a failure that is not about one call. */
function repair(status: number, { path }: Asked): string {
  if (status === 401) return ' Check apiKey.';
  // What is asked for without an id is always there.
  return status === 404 && !path.includes('{') ? ' Check baseUrl.' : '';
}

const excerpt = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** Milliseconds of a `Retry-After`: seconds or an HTTP date. */
export function readRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
