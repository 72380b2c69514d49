import { isFields } from '@broadsheet/contract/kinds';
import type { Outgoing } from '../calls/outgoing.ts';
import { runOption } from '../calls/run-option.ts';
import type { Shared } from '../calls/shared.ts';
import { mustBe } from '../check-options.ts';
import { NetworkError, ResponseError } from '../errors/error-kinds.ts';
import { type BroadsheetError, type ErrorFacts, tryRead } from '../errors/errors.ts';
import { callbackError } from '../errors/own-error.ts';
import { redactError } from '../errors/redact.ts';
import { VALIDATORS } from '../generated/resources.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import { core } from '../on-demand-core.ts';
import type { Incoming, Payload } from '../response/incoming.ts';
import type { MiddlewareRequest } from './middleware.ts';

const KEY = 'x-api-key';

/** Sends a request once, through its middleware, and reads the response to its end. `attempt` is 1 for the first. */
export async function send(
  outgoing: Outgoing,
  attempt: number,
  shared: Shared<Incoming>,
  etag?: string,
): Promise<Incoming> {
  const { middleware, options } = outgoing;
  const { signal } = shared;
  const own = etag === undefined ? outgoing.headers : { ...outgoing.headers, 'if-none-match': etag };
  const response = await (middleware.length > 0
    ? throughMiddleware(outgoing, attempt, own, shared)
    : follow(outgoing, own, signal));
  signal.throwIfAborted();
  const { body, status, headers } = response;
  if (response.bodyUsed || body?.locked) {
    const fix = 'the body of the response was already read: let the middleware read a clone()';
    throw callbackError(outgoing.id, fix, shared.phase);
  }
  shared.phase = 'body';
  // A small response may expand to gigabytes, so the bytes are counted as they arrive.
  const { maxBodyBytes } = options;
  try {
    if (!body) return { status, headers, text: `${await response.text()}` }; // no content, or a test's stand-in for a response
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = 0; size <= maxBodyBytes; ) {
      const { done, value } = await reader.read();
      if (done)
        return { status, headers, text: chunks.length > 1 ? join(chunks) : new TextDecoder().decode(chunks[0]) };
      size += value.byteLength;
      chunks.push(value);
    }
    (async () => reader.cancel())().catch(() => {});
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
  shared: Shared<Incoming>,
): Promise<Response> {
  const { id, endpoint, url, body, middleware, settings } = outgoing;
  const { signal } = shared;
  const headers = new Headers(sent);
  headers.delete(KEY);
  const request: MiddlewareRequest = { endpoint: id, method: endpoint.method, url, attempt, headers, body, signal };
  const run = async (index: number): Promise<Response> => {
    const step = middleware[index];
    if (!step) {
      const sent = { ...Object.fromEntries(headers), [KEY]: settings.apiKey };
      return runOption(undefined, id, shared, () => follow(outgoing, sent, signal));
    }
    return needResponse(outgoing, 'middleware', await step(request, () => run(index + 1)));
  };
  return runOption('middleware', id, shared, () => run(0));
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
    const { status, type } = needResponse(outgoing, 'fetch', response);
    if (response.bodyUsed) {
      const fix = 'fetch returned a Response whose body was already read: return a new one for each call';
      throw callbackError(outgoing.id, fix, 'connect');
    }
    if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return response;
    void response.body?.cancel().catch(() => {});
    url = (await loadOnDemand()).redirectTarget(core, outgoing, { from: url, response, hops });
  }
}

/** The result of code of the caller, if the client can use it as a response. */
function needResponse({ id }: Outgoing, option: string, value: Response): Response {
  if (tryRead(() => typeof value.text === 'function' && typeof value.headers.get === 'function')) return value;
  throw callbackError(id, mustBe(`the result of ${option}`, 'a Response', value), 'connect');
}

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
    // Another attempt changes neither a certificate nor a port that `fetch` blocks.
    retryable: !/CERT|LEAF_SIGNATURE|bad port/.test(codes + reason),
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
