import { isFields } from '@broadsheet/contract/kinds';
import type { Outgoing } from '../calls/outgoing.ts';
import type { Shared } from '../calls/shared.ts';
import { inputError, mustBe } from '../check-options.ts';
import { type InputError, NetworkError, ResponseError } from '../errors/error-kinds.ts';
import { type BroadsheetError, type ErrorFacts, tryRead } from '../errors/errors.ts';
import { redactError } from '../errors/redact.ts';
import { VALIDATORS } from '../generated/resources.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import type { Incoming, Payload } from '../response/incoming.ts';
import type { MiddlewareRequest } from './middleware.ts';

const KEY = 'x-api-key';
const decoder = new TextDecoder();

/** Sends a request once, through its middleware, and reads the response to its end. `attempt` is 1 for the first. */
export async function send(
  outgoing: Outgoing,
  attempt: number,
  shared: Shared<Incoming>,
  etag?: string,
): Promise<Incoming> {
  const { id, middleware, options } = outgoing;
  const { signal } = shared;
  const own = etag === undefined ? outgoing.headers : { ...outgoing.headers, 'if-none-match': etag };
  const response = await (middleware.length > 0
    ? throughMiddleware(outgoing, attempt, own, signal)
    : follow(outgoing, own, signal));
  signal.throwIfAborted();
  shared.phase = 'body';
  const { body, status, headers } = response;
  if (response.bodyUsed || body?.locked)
    throw inputError(id, 'the body of the response was already read: let the middleware read a clone()');
  // A small response may expand to gigabytes, so the bytes are counted as they arrive.
  const { maxBodyBytes } = options;
  try {
    if (!body) return { status, headers, text: await response.text() }; // no content, or a test's stand-in for a response
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = 0; size <= maxBodyBytes; ) {
      const { done, value } = await reader.read();
      if (done) return { status, headers, text: chunks.length > 1 ? join(chunks) : decoder.decode(chunks[0]) };
      size += value.byteLength;
      chunks.push(value);
    }
    void reader.cancel().catch(() => {});
  } catch (cause) {
    signal.throwIfAborted();
    const why = `the connection closed while the response was being read (${reasonOf(cause)})`;
    throw bodyError(outgoing, response, why, { code: 'RESPONSE_CUT', retryable: true, cause });
  }
  const why = `the response is longer than ${maxBodyBytes} bytes. Check baseUrl, or raise maxBodyBytes`;
  throw bodyError(outgoing, response, why, { code: 'RESPONSE_TOO_LARGE' });
}

function throughMiddleware(
  outgoing: Outgoing,
  attempt: number,
  sent: Outgoing['headers'],
  signal: AbortSignal,
): Promise<Response> {
  const { id, endpoint, url, body, middleware, settings } = outgoing;
  const headers = new Headers(sent);
  headers.delete(KEY);
  const request: MiddlewareRequest = { endpoint: id, method: endpoint.method, url, attempt, headers, body, signal };
  const run = async (index: number): Promise<Response> => {
    const step = middleware[index];
    if (!step) return follow(outgoing, { ...Object.fromEntries(headers), [KEY]: settings.apiKey }, signal);
    const response = await step(request, () => run(index + 1));
    if (typeof response?.text !== 'function') throw notAResponse(outgoing, 'a middleware', response);
    return response;
  };
  return run(0);
}

/** Follows redirects itself, and only within the origin: every runtime would send `X-API-Key` to another one. */
async function follow(outgoing: Outgoing, headers: Outgoing['headers'], signal: AbortSignal): Promise<Response> {
  const { body = null, endpoint, fetchOptions, options } = outgoing;
  const { fetch = globalThis.fetch } = options;
  // A string and an init, never a Request: Next.js does not see `next` on a Request.
  const init: RequestInit = { ...fetchOptions, method: endpoint.method, headers, body, redirect: 'manual', signal };
  let { url } = outgoing;
  for (let hops = 0; ; hops++) {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      signal.throwIfAborted();
      throw networkError(outgoing, url, error);
    }
    if (typeof response?.text !== 'function') throw notAResponse(outgoing, 'fetch', response);
    const { status, type } = response;
    if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return response;
    void response.body?.cancel().catch(() => {});
    url = (await loadOnDemand()).redirectTarget(outgoing, url, response, hops);
  }
}

const notAResponse = ({ id }: Outgoing, who: string, value: unknown): InputError =>
  inputError(id, mustBe(`the result of ${who}`, 'a Response', value));

function join(chunks: readonly Uint8Array[]): string {
  const joining = new TextDecoder();
  return chunks.map((chunk) => joining.decode(chunk, { stream: true })).join('') + joining.decode();
}

/**
 * The payload of a successful response that matches the contract, with or without an envelope (api.md 4.1 and 4.8);
 * `undefined` for any other response.
 */
export function readPayload({ id, endpoint }: Outgoing, { status, text }: Incoming): Payload | undefined {
  if (status < 200 || status > 299 || id === 'request') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isEnvelope = endpoint.form === 'envelope' && isFields(body) && body['success'] === true;
  const payload: Payload = isEnvelope ? (body as Payload) : { data: body };
  const isValid = VALIDATORS[id](payload.data) && (endpoint.pagination !== 'page' || VALIDATORS.meta(payload.meta));
  return isValid ? payload : undefined;
}

/** The error of a request that got no response. */
function networkError({ id, endpoint, settings }: Outgoing, url: string, cause: unknown): BroadsheetError {
  const reason = reasonOf(cause);
  const codes = codesOf(cause);
  const remedy = /\bSSL\b|EPROTO/i.test(reason)
    ? 'If the server has no https, use http:// in baseUrl'
    : 'Check baseUrl, and that the server is running';
  const error = new NetworkError(`${id}: ${endpoint.method} ${url} got no response (${reason}). ${remedy}.`, {
    code: 'NETWORK_ERROR',
    phase: 'connect',
    // Another attempt does not change a certificate.
    retryable: !/CERT|LEAF_SIGNATURE/.test(codes),
    // Without a connection, nothing can have been counted.
    mayRepeat: /\b(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)\b/.test(codes),
    cause,
  });
  return redactError(error, settings.redact); // a middleware may see it first
}

/** The error of a response whose body could not be read. */
function bodyError(
  { id, endpoint, url }: Outgoing,
  { status, headers }: Response,
  why: string,
  facts: Omit<ErrorFacts, 'phase'>,
): ResponseError {
  const requestId = headers.get('x-request-id') ?? undefined;
  return new ResponseError(`${id}: ${endpoint.method} ${url}: ${why}.`, { ...facts, phase: 'body', status, requestId });
}

/** The message of the innermost cause: undici's own is only `fetch failed`. */
const reasonOf = (error: unknown): string => tryRead(() => innermost(error)) ?? 'unreadable error';

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermost(error.cause);
  // The middle part of an OpenSSL message; the rest refers to its own source code.
  const message = error.message.replace(/^.*:(SSL routines):[^:]*:([^:]*):.*$/s, '$1: $2');
  return message || ('code' in error ? String(error.code) : error.name);
}

/** The codes of an error and of its causes. */
const codesOf = (error: unknown): string =>
  tryRead(() => error instanceof Error && `${'code' in error ? error.code : ''} ${codesOf(error.cause)}`) || '';
