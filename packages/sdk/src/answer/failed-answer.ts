import { apiFailure, CODE_BY_STATUS, TRANSIENT } from '../errors/api-failure.ts';
import type { Failure } from '../errors/failure.ts';
import type { FieldError } from '../generated/resources.ts';
import type { Incoming } from './incoming.ts';
import { type Facts, nonApiResponse, type Requested } from './non-api-response.ts';
import type { Fields } from './read-answer.ts';
import { readRetryAfter, retryAfterHint } from './retry-after.ts';
import { excerpt } from './words.ts';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What an answer is that is no success. `body` is what its JSON gave, `cause` why it gave nothing. */
export function failedAnswer(requested: Requested, answer: Incoming, body: unknown, cause: unknown): Failure {
  const { status, headers } = answer;
  const facts = { status, requestId: headers.get('x-request-id') ?? undefined, endpoint: requested.id };
  return isFields(body) && isOwn(body, status)
    ? failure(requested, body, answer, facts)
    : nonApiResponse(requested, body, answer, facts, cause);
}

/** Whether a failure is in one of the forms of the API: the envelope, or `{ error: 'text' }` of api.md 4.8. */
function isOwn(body: Fields, status: number): boolean {
  if ('success' in body || isFields(body['error'])) return true;
  // Fastify, Nest and Spring say `{ error: 'Not Found', … }` with more fields about a path that they do not know.
  return 'error' in body && (status !== 404 || Object.keys(body).length === 1);
}

function failure(requested: Requested, body: Fields, { text, headers }: Incoming, facts: Facts): Failure {
  const { status: httpStatus, requestId } = facts;
  const said = body['error'];
  const error: Fields = isFields(said) ? said : { message: said };
  const string = (name: string): string | undefined => (typeof error[name] === 'string' ? error[name] : undefined);
  const own = Number(error['statusCode']);
  const status = httpStatus < 400 && own >= 400 ? own : httpStatus;
  const message = string('message') ?? (typeof body['message'] === 'string' ? body['message'] : '');
  const details = error['details'];
  const retryAfter = readRetryAfter(headers);
  const words = sentence(message || `the server answered ${status}`);
  return apiFailure(
    status,
    `${requested.id}: ${words}${repair(status, words, requested)}${retryAfterHint(retryAfter)} (${requested.url})`,
    {
      ...facts,
      phase: 'answer',
      code: string('code') ?? CODE_BY_STATUS[status] ?? `HTTP_${status}`,
      type: string('type'),
      retryable: typeof error['retryable'] === 'boolean' ? error['retryable'] : TRANSIENT.includes(status),
      requestId: string('requestId') ?? requestId,
      docs: string('docs'),
      fields: isFields(details) && Array.isArray(details['fields']) ? (details['fields'] as FieldError[]) : undefined,
      body: isFields(said) ? undefined : excerpt(text, requested.redact),
      retryAfter,
    },
  );
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What the developer may do about a failure that is not about one call. */
function repair(status: number, words: string, { path }: Requested): string {
  if (status === 401) return ' Check apiKey.';
  // What is requested without an id is always there, and so is its path.
  const nowhere = !path.includes('{') || words.startsWith('There is nothing at ');
  return status === 404 && nowhere ? ' Check baseUrl.' : '';
}
