import type { ErrorCode } from '@broadsheet/contract';
import { isFields } from '@broadsheet/contract/kinds';
import type { Outgoing } from '../calls/outgoing.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ResponseError,
  ServerError,
  ValidationError,
} from '../errors/error-kinds.ts';
import type { BroadsheetError, ErrorFacts } from '../errors/errors.ts';
import type { Redact } from '../errors/redact.ts';
import type { FieldError } from '../generated/resources.ts';
import type { Incoming } from './incoming.ts';

/** The class of the error for a status, and its code if the response has none, such as `{ error: 'text' }` of api.md 4.8. */
export const BY_STATUS: Readonly<Record<number, readonly [typeof ApiError, ErrorCode]>> = {
  400: [ValidationError, 'VALIDATION_ERROR'],
  401: [AuthenticationError, 'UNAUTHORIZED'],
  403: [PermissionError, 'ORIGIN_NOT_ALLOWED'],
  404: [NotFoundError, 'NOT_FOUND'],
  405: [ApiError, 'METHOD_NOT_ALLOWED'],
  409: [ConflictError, 'CLICK_TOKEN_USED'],
  413: [ValidationError, 'PAYLOAD_TOO_LARGE'],
  415: [ValidationError, 'UNSUPPORTED_MEDIA_TYPE'],
  429: [RateLimitError, 'RATE_LIMITED'],
  500: [ServerError, 'INTERNAL_ERROR'],
  503: [ServerError, 'UNAVAILABLE'],
};
/** Statuses of failures that may be temporary, for responses without `retryable`. */
export const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Statuses of a proxy that did not pass the request on. */
const REFUSING: readonly number[] = [429, 503];
/** Statuses that report a lost response, regardless of the sender. */
const LOST: readonly number[] = [408, 502, 504];

/** The error for a failed response. `body` is its JSON, or `cause` the reason why it has none. */
export function responseError(outgoing: Outgoing, response: Incoming, body: unknown, cause: unknown): BroadsheetError {
  const { headers, status } = response;
  const retryAfter = readRetryAfter(headers);
  const requestId = headers.get('x-request-id') ?? undefined;
  const facts = { status, requestId, retryAfter, endpoint: outgoing.id, phase: 'response', cause } as const;
  // The envelope, or `{ error: 'text' }` of api.md 4.8. Fastify, Nest and Spring respond with `{ error: 'Not Found', … }`
  // and more fields for an unknown path.
  const isOwn =
    isFields(body) &&
    ('success' in body ||
      isFields(body['error']) ||
      ('error' in body && (status !== 404 || Object.keys(body).length === 1)));
  return isOwn ? apiError(outgoing, response, body, facts) : foreignError(outgoing, response, body, facts);
}

type JsonObject = Readonly<Record<string, unknown>>;
type Known = Omit<ErrorFacts, 'code'>;

/** The error that the API reports. */
function apiError(outgoing: Outgoing, { text }: Incoming, body: JsonObject, known: Known): BroadsheetError {
  const { endpoint, settings } = outgoing;
  const isEnvelope = isFields(body['error']);
  const error: JsonObject = isEnvelope ? (body['error'] as JsonObject) : { message: body['error'] };
  const string = (name: string, from = error) => (typeof from[name] === 'string' ? from[name] : undefined);
  const [httpStatus = 0, own] = [known.status, Number(error['statusCode'])];
  const status = httpStatus < 400 && own >= 400 ? own : httpStatus;
  const why = string('message') || string('message', body) || `the server responded with status ${status}`;
  const message = /[.!?]$/.test(why) ? why : `${why}.`;
  const { retryable = TRANSIENT.includes(status) } = error as { readonly retryable?: boolean };
  const fields = (error['details'] as { readonly fields?: FieldError[] } | null | undefined)?.fields;
  return errorOf(outgoing, `${message}${remedyFor(status, message, endpoint.path)}`, {
    ...known,
    status,
    code: string('code'),
    type: string('type'),
    retryable: retryable === true,
    mayRepeat: error['retryable'] === true && !LOST.includes(status),
    requestId: string('requestId') ?? known.requestId,
    docs: string('docs'),
    fields: Array.isArray(fields) ? fields : undefined,
    body: isEnvelope ? undefined : excerpt(text, settings.redact),
  });
}

/** Advice for a failure whose cause is not this one call. */
function remedyFor(status: number, message: string, path: string): string {
  // Neither the key nor the URL decides whether a preview can be opened.
  if (path === '/preview/post') return '';
  if (status === 401) return ' Check apiKey.';
  // A path without an id always exists.
  const nowhere = !path.includes('{') || message.startsWith('There is nothing at ');
  return status === 404 && nowhere ? ' Check baseUrl.' : '';
}

/** The error for a response that is not in the format of the API, such as a response from a proxy or another server. */
function foreignError(outgoing: Outgoing, { headers, text }: Incoming, body: unknown, known: Known): BroadsheetError {
  const { redact } = outgoing.settings;
  const { status = 0, cause } = known;
  const ok = status >= 200 && status < 300;
  const html = /^\s*</.test(text) || /\bhtml\b/.test(headers.get('content-type') ?? '');
  const kind = html ? 'an HTML page' : text === '' ? 'an empty body' : 'something that is not valid JSON';
  const what = cause === undefined ? 'JSON that is not from the API' : kind;
  const quote = quoted(body, redact);
  const message = `the server returned ${status} with ${what}. ${proxyRemedy(status)}${quote && ` It says ${quote}.`}`;
  // The response may have been cut off without the transport noticing. An HTML page would be the same after a retry.
  const isCut = ok && !html;
  // A site shows "no such post" for a NotFoundError. A 404 of another server does not mean that the post is missing.
  const phase = ok || status === 404 ? 'parse' : 'response';
  // These statuses have the same meaning from any server. A 403 from a firewall does not concern the origin of a click.
  const isPlain = status === 429 || status >= 500;
  const other = cause === undefined ? 'RESPONSE_MISMATCH' : 'RESPONSE_NOT_JSON';
  return errorOf(outgoing, message, {
    ...known,
    phase,
    code: isCut ? 'RESPONSE_INVALID_JSON' : isPlain ? undefined : other,
    body: excerpt(text, redact),
    retryable: isCut || TRANSIENT.includes(status),
    mayRepeat: REFUSING.includes(status),
  });
}

function proxyRemedy(status: number): string {
  if (status === 401 || status === 403)
    return 'A proxy or firewall in front of the API refused the call: let this client through, or check baseUrl.';
  if (status === 429) return 'A proxy in front of the API limits the number of calls: make fewer.';
  if (status >= 500)
    return 'A proxy in front of the API could not reach it: check baseUrl, and that the server is running.';
  return 'Check that baseUrl is the URL of the API.';
}

/** An error of the class for its status; an error found while parsing is a `ResponseError`. */
function errorOf(
  { id, url }: Outgoing,
  message: string,
  { code, ...facts }: Known & { readonly code?: string | undefined },
): BroadsheetError {
  const { status = 0, retryAfter, phase } = facts;
  const [Kind, usual] = BY_STATUS[status] ?? [status >= 500 ? ServerError : ApiError, `HTTP_${status}`];
  const wait = retryAfter ? ` Wait ${Math.ceil(retryAfter / 1000)} s.` : '';
  const Found = phase === 'parse' ? ResponseError : Kind;
  return new Found(`${id}: ${message}${wait} (${url})`, { ...facts, code: code ?? usual });
}

/** Milliseconds that a response asks to wait: `Retry-After` in seconds or as an HTTP date. */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** The start of a text, for an error. The key is removed before the text is cut, so that no part of it remains. */
export const excerpt = (text: string, redact: Redact): string => cut(redact(text), 500);

/** The message in JSON that is not from the API, in quotes: `{ message }`, `{ error: 'text' }`, `{ error: { message } }`. */
export function quoted(body: unknown, redact: Redact): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  const said = [message, error, (error as { message?: unknown } | undefined)?.message].find(
    (one) => typeof one === 'string',
  );
  return said === undefined ? '' : JSON.stringify(cut(redact(said as string), 200));
}
