import { ResponseError } from '../errors/error-kinds.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { Exchange } from '../request/exchange.ts';
import { apiError, REFUSING, readRetryAfter, retryAfterHint, TRANSIENT } from './api-error.ts';
import type { Incoming } from './incoming.ts';
import { excerpt, quoted } from './words.ts';

/**
 * The error for a response that is not in the format of the API, such as that of a proxy, a firewall or another server at
 * `baseUrl`. `cause` is the reason why it is not JSON.
 */
export function nonApiResponse(
  { id, url, settings }: Exchange,
  { status, headers, text }: Incoming,
  body: unknown,
  cause: unknown,
): BroadsheetError {
  const { redact } = settings;
  const facts = { status, requestId: headers.get('x-request-id') ?? undefined, endpoint: id };
  const ok = status >= 200 && status < 300;
  const html = /^\s*</.test(text) || /\bhtml\b/.test(headers.get('content-type') ?? '');
  const kind = html ? 'an HTML page' : text === '' ? 'an empty body' : 'something that is not valid JSON';
  const words = quoted(body, redact);
  const hint = `${remedy(status)}${words && ` It says ${words}.`}`;
  const what = cause === undefined ? 'JSON that is not from the API' : kind;
  const retryAfter = readRetryAfter(headers);
  const message = `${id}: the server answered ${status} with ${what}. ${hint}${retryAfterHint(retryAfter)} (${url})`;
  const more = { ...facts, body: excerpt(text, redact), retryAfter, cause };
  // The response may have been cut off without the transport noticing. An HTML page would be the same after a retry.
  if (ok && !html)
    return new ResponseError(message, { ...more, code: 'RESPONSE_INVALID_JSON', phase: 'parse', retryable: true });
  const code = cause === undefined ? 'RESPONSE_MISMATCH' : 'RESPONSE_NOT_JSON';
  // A site shows "no such post" for a NotFoundError. A 404 of another server does not mean that the post is missing.
  if (ok || status === 404) return new ResponseError(message, { ...more, code, phase: 'parse' });
  // These mean the same from any server. A 403 of a firewall does not concern the origin of a click.
  const plain = status === 429 || status >= 500;
  return apiError(status, message, {
    ...more,
    code: plain ? undefined : code,
    phase: 'answer',
    retryable: TRANSIENT.includes(status),
    uncounted: REFUSING.includes(status),
  });
}

function remedy(status: number): string {
  if (status === 401 || status === 403)
    return 'A proxy or firewall in front of the API refused the call: let this client through, or check baseUrl.';
  if (status === 404) return 'Check baseUrl: there is no API at this address.';
  if (status === 429) return 'A proxy in front of the API limits the calls: make fewer.';
  if (status >= 500) return 'A proxy in front of the API could not reach it: check that the server runs, and baseUrl.';
  return 'Check that baseUrl is the API.';
}
