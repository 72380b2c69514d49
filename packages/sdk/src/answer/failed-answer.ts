import { isFields } from '@broadsheet/contract/kinds';
import type { BroadsheetError } from '../errors/errors.ts';
import type { FieldError } from '../generated/resources.ts';
import type { Exchange } from '../request/exchange.ts';
import { apiError, LOST, readRetryAfter, retryAfterHint, TRANSIENT } from './api-error.ts';
import type { Incoming } from './incoming.ts';
import { nonApiResponse } from './non-api-response.ts';
import { excerpt } from './words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The error for a failed response. `body` is its JSON, or `cause` the reason why it has none. */
export function failedAnswer(exchange: Exchange, response: Incoming, body: unknown, cause: unknown): BroadsheetError {
  return isFields(body) && isOwn(body, response.status)
    ? errorOf(exchange, response, body)
    : nonApiResponse(exchange, response, body, cause);
}

/** Whether a failure is in one of the forms of the API: the envelope, or `{ error: 'text' }` of api.md 4.8. */
function isOwn(body: Fields, status: number): boolean {
  if ('success' in body || isFields(body['error'])) return true;
  // Fastify, Nest and Spring respond with `{ error: 'Not Found', … }` and more fields for an unknown path.
  return 'error' in body && (status !== 404 || Object.keys(body).length === 1);
}

function errorOf({ id, url, endpoint, settings }: Exchange, response: Incoming, body: Fields): BroadsheetError {
  const { status: httpStatus, headers, text } = response;
  const isEnvelope = isFields(body['error']);
  const error: Fields = isEnvelope ? (body['error'] as Fields) : { message: body['error'] };
  const string = (name: string): string | undefined => (typeof error[name] === 'string' ? error[name] : undefined);
  const own = Number(error['statusCode']);
  const status = httpStatus < 400 && own >= 400 ? own : httpStatus;
  const message = string('message') ?? (typeof body['message'] === 'string' ? body['message'] : '');
  const words = sentence(message || `the server responded with status ${status}`);
  const retryAfter = readRetryAfter(headers);
  const details = error['details'];
  const { retryable } = error;
  const advice = `${repair(status, words, endpoint.path)}${retryAfterHint(retryAfter)}`;
  return apiError(status, `${id}: ${words}${advice} (${url})`, {
    endpoint: id,
    phase: 'answer',
    code: string('code'),
    type: string('type'),
    retryable: typeof retryable === 'boolean' ? retryable : TRANSIENT.includes(status),
    uncounted: retryable === true && !LOST.includes(status),
    requestId: string('requestId') ?? headers.get('x-request-id') ?? undefined,
    docs: string('docs'),
    fields: isFields(details) && Array.isArray(details['fields']) ? (details['fields'] as FieldError[]) : undefined,
    body: isEnvelope ? undefined : excerpt(text, settings.redact),
    retryAfter,
  });
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Advice for a failure whose cause is not this one call. */
function repair(status: number, words: string, path: string): string {
  // Neither the key nor the URL decides whether a preview can be opened.
  if (path === '/preview/post') return '';
  if (status === 401) return ' Check apiKey.';
  // A path without an id always exists.
  const nowhere = !path.includes('{') || words.startsWith('There is nothing at ');
  return status === 404 && nowhere ? ' Check baseUrl.' : '';
}
