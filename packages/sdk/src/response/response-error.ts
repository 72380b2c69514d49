import type { Outgoing } from '../calls/outgoing.ts';
import type { BroadsheetError, ErrorFacts } from '../errors/errors.ts';
import type { Redact } from '../errors/redact.ts';
import type { FieldError } from '../generated/resources.ts';
import type { Core } from '../on-demand-core.ts';
import type { JsonObject } from './failure.ts';
import type { Incoming } from './incoming.ts';

/**
 * The error for a failed response, with a message that says what to do, and what the API says about it; `undefined` for a
 * success, even if its data does not match the contract.
 */
export function responseError(core: Core, outgoing: Outgoing, response: Incoming): BroadsheetError | undefined {
  const { settings, id } = outgoing;
  const { text, status } = response;
  const ok = status >= 200 && status < 300;
  let body: unknown;
  let cause: unknown;
  try {
    body = JSON.parse(text);
  } catch (thrown) {
    // The message of the runtime quotes part of the text, which may contain half of a key.
    cause = settings.redact(text) === text ? thrown : new SyntaxError('not valid JSON');
  }
  const fields = core.kinds.isFields(body) ? body : {};
  // `blog.request()` may call something that responds without a body.
  if (ok && (cause ? id === 'request' && text === '' : fields['success'] !== false)) return undefined;
  const reported = reportedIn(core, fields, status);
  return reported
    ? apiError(core, outgoing, response, { fields, reported })
    : foreignError(core, outgoing, response, { body, cause });
}

/**
 * The error that the API reports: in its envelope, or as `{ error: 'text' }` of api.md 4.8. Fastify, Nest and Spring
 * respond with `{ error: 'Not Found', … }` and more fields for an unknown path.
 */
function reportedIn({ kinds }: Core, fields: JsonObject, status: number): JsonObject | undefined {
  const { error, message } = fields;
  if (kinds.isFields(error)) return error;
  const isShort = 'error' in fields && (status !== 404 || Object.keys(fields).length === 1);
  return 'success' in fields || isShort ? { message: error ?? message } : undefined;
}

interface Reported {
  readonly fields: JsonObject;
  readonly reported: JsonObject;
}

/** The error that the API reports. */
function apiError(
  { readFailure }: Core,
  outgoing: Outgoing,
  response: Incoming,
  { fields, reported }: Reported,
): BroadsheetError {
  const own = Number(reported['statusCode']);
  const status = response.status < 400 && own >= 400 ? own : response.status;
  const { Kind, facts } = readFailure(outgoing, { ...response, status }, reported);
  const why = textOf(reported['message']) || textOf(fields['message']) || `the server responded with status ${status}`;
  const sentence = /[.!?]$/.test(why) ? why : `${why}.`;
  // Neither the key nor the URL decides whether a preview can be opened.
  const isUnknownKey = status === 401 && outgoing.id !== 'preview';
  const isNowhere = status === 404 && Kind.kind === 'ResponseError';
  const advice = isUnknownKey ? ' Check apiKey.' : isNowhere ? ' Check baseUrl.' : '';
  const details = reported['details'] as { readonly fields?: FieldError[] } | null | undefined;
  return new Kind(messageOf(outgoing, `${sentence}${advice}`, facts), {
    ...facts,
    type: textOf(reported['type']),
    docs: textOf(reported['docs']),
    fields: Array.isArray(details?.fields) ? details.fields : undefined,
    body: fields['error'] === reported ? undefined : excerpt(response.text, outgoing.settings.redact),
  });
}

/** The error for a response that is not in the format of the API, such as a response from a proxy or another server. */
function foreignError(
  { readFailure, ResponseError }: Core,
  outgoing: Outgoing,
  response: Incoming,
  { body, cause }: { readonly body: unknown; readonly cause: unknown },
): BroadsheetError {
  const { redact } = outgoing.settings;
  const { status, headers, text } = response;
  const ok = status >= 200 && status < 300;
  const isHtml = /^\s*</.test(text) || /\bhtml\b/.test(headers.get('content-type') ?? '');
  const kind = isHtml ? 'an HTML page' : text === '' ? 'an empty body' : 'something that is not valid JSON';
  const content = cause === undefined ? 'JSON that is not from the API' : kind;
  const quote = quoted(body, redact);
  const message = `the server returned ${status} with ${content}. ${proxyRemedy(status)}${quote && ` It says ${quote}.`}`;
  // The response may have been cut off without the transport noticing. An HTML page would be the same after a retry.
  const isCut = ok && !isHtml;
  // A site shows "no such post" for a NotFoundError. A 404 of another server does not mean that the post is missing.
  const isUnread = ok || status === 404;
  // These statuses have the same meaning from any server. A 403 from a firewall does not concern the origin of a click.
  const isPlain = status === 429 || status >= 500;
  const other = cause === undefined ? 'RESPONSE_MISMATCH' : 'RESPONSE_NOT_JSON';
  const { Kind, facts } = readFailure(outgoing, response);
  return new (isUnread ? ResponseError : Kind)(messageOf(outgoing, message, facts), {
    ...facts,
    code: isCut ? 'RESPONSE_INVALID_JSON' : isPlain ? facts.code : other,
    phase: isUnread ? 'parse' : 'response',
    retryable: isCut || facts.retryable === true,
    cause,
    body: excerpt(text, redact),
  });
}

function messageOf({ id, url }: Outgoing, sentence: string, { retryAfter }: ErrorFacts): string {
  const wait = retryAfter ? ` Wait ${Math.ceil(retryAfter / 1000)} s.` : '';
  return `${id}: ${sentence}${wait} (${url})`;
}

function proxyRemedy(status: number): string {
  if (status === 401 || status === 403)
    return 'A proxy or firewall in front of the API refused the call: let this client through, or check baseUrl.';
  if (status === 429) return 'A proxy in front of the API limits the number of calls: make fewer.';
  if (status >= 500)
    return 'A proxy in front of the API could not reach it: check baseUrl, and that the server is running.';
  return 'Check that baseUrl is the URL of the API.';
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

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
