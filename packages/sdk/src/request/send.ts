import type { Incoming } from '../answer/incoming.ts';
import { describe, refuse } from '../check-options.ts';
import { NetworkError } from '../errors/error-kinds.ts';
import { redactError } from '../errors/redact.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';
import type { MiddlewareRequest } from './middleware.ts';
import { readBody, reasonOf } from './read-body.ts';

const MAX_REDIRECTS = 3;
const KEY = 'x-api-key';

/**
 * Sends the request once, through its middleware, and reads the response to its end. `deadline` is that of the call, or
 * of the calls that share the request.
 */
export async function send(exchange: Exchange, deadline: Deadline): Promise<Incoming> {
  const { headers, middleware } = exchange;
  deadline.progress.phase = 'connect';
  const response = await (middleware.length > 0
    ? throughMiddleware(exchange, deadline)
    : follow(exchange, headers, deadline));
  if (deadline.over) throw deadline.over;
  deadline.progress.phase = 'body';
  return { status: response.status, headers: response.headers, text: await readBody(exchange, response, deadline) };
}

function throughMiddleware(exchange: Exchange, deadline: Deadline): Promise<Response> {
  const { id, endpoint, url, body, attempts, middleware, settings } = exchange;
  const headers = new Headers(exchange.headers);
  headers.delete(KEY);
  const { method } = endpoint;
  const { signal } = deadline;
  const request: MiddlewareRequest = { endpoint: id, method, url, attempt: attempts.length + 1, headers, body, signal };
  const run = async (index: number): Promise<Response> => {
    const step = middleware[index];
    if (!step) return follow(exchange, { ...Object.fromEntries(headers), [KEY]: settings.apiKey }, deadline);
    return responseOf(exchange, 'a middleware', await step(request, () => run(index + 1)));
  };
  return run(0);
}

/** Follows redirects itself, and only within the origin: every runtime would send `X-API-Key` to another one. */
async function follow(exchange: Exchange, headers: Exchange['headers'], deadline: Deadline): Promise<Response> {
  const { body = null, endpoint, fetchOptions, options } = exchange;
  const { fetch = globalThis.fetch } = options;
  const { method } = endpoint;
  // A string and an init, never a Request: Next.js does not see `next` on a Request.
  const init: RequestInit = { ...fetchOptions, method, headers, body, redirect: 'manual', signal: deadline.signal };
  let { url } = exchange;
  for (let hops = 0; ; hops++) {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      throw deadline.over ?? networkError(exchange, url, error);
    }
    responseOf(exchange, 'the option fetch', response);
    if (!isRedirect(response)) return response;
    void response.body?.cancel().catch(() => {});
    const target = hops < MAX_REDIRECTS ? targetOf(exchange, url, response) : undefined;
    if (!target) {
      const { redirectRefused } = await loadOnDemand();
      throw redirectRefused(exchange, url, response);
    }
    url = target;
  }
}

function networkError({ id, endpoint, settings }: Exchange, url: string, cause: unknown): NetworkError {
  const reason = reasonOf(cause);
  const remedy = /\bSSL\b|EPROTO/i.test(reason)
    ? 'If the server has no https, use http:// in baseUrl'
    : 'Check baseUrl, and that the server is running';
  const message = `${id}: ${endpoint.method} ${url} got no response (${reason}). ${remedy}.`;
  const retryable = !isCertificateError(cause);
  const facts = { code: 'NETWORK_ERROR', phase: 'connect', retryable, uncounted: isRefusal(cause), cause } as const;
  const error = new NetworkError(message, facts);
  redactError(error, settings.redact); // a middleware may see it first
  return error;
}

function responseOf({ id }: Exchange, who: string, response: Response): Response {
  if (typeof response?.text === 'function') return response;
  throw refuse(id, `${id}: ${who} gave ${describe(response)}: it must return a Response.`);
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** The target of a redirect that may be followed: of a GET, within the origin, hence never from https to http. */
function targetOf({ endpoint }: Exchange, from: string, { headers }: Response): string | undefined {
  const location = headers.get('location');
  if (location === null || endpoint.method !== 'GET' || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  return target.origin === new URL(from).origin ? target.href : undefined;
}

/** The codes of an error and of its causes. */
function codesOf(error: unknown): string {
  return error instanceof Error ? `${'code' in error ? error.code : ''} ${codesOf(error.cause)}` : '';
}

/** Whether no connection was made: nothing can have been counted. */
const isRefusal = (error: unknown): boolean =>
  /\b(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)\b/.test(codesOf(error));

/** Whether the certificate of the server was rejected, which another attempt does not change. */
const isCertificateError = (error: unknown): boolean => /CERT|LEAF_SIGNATURE/.test(codesOf(error));
