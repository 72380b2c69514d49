import type { Incoming } from '../answer/incoming.ts';
import { lazily } from '../answer/lazily.ts';
import { describe, refuse } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import { InputError, NetworkError, ResponseError } from '../errors/error-kinds.ts';
import { errorOf } from '../errors/failure.ts';
import { type Redact, redactError } from '../errors/redact.ts';
import type { CallOptions, FetchOptions } from '../options.ts';
import type { Deadline } from './deadline.ts';
import type { Middleware, MiddlewareRequest } from './middleware.ts';
import { readBody } from './read-body.ts';

/** A request, ready to be sent. */
export interface Outgoing {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly fetchOptions: FetchOptions;
  /** No answer is read past it. */
  readonly maxBodyBytes: number;
  /** The caller's own. */
  readonly fetch: CallOptions['fetch'];
  readonly middleware: readonly Middleware[];
  readonly redact: Redact;
}

const MAX_REDIRECTS = 3;
const KEY = 'x-api-key';

/** Sends a request once, through the middleware there is, and reads the answer to its end. */
export async function exchange(out: Outgoing, deadline: Deadline): Promise<Incoming> {
  const send = out.middleware.length > 0 ? throughMiddleware : follow;
  const response = await deadline.race('connect', () => send(out, out.headers, deadline));
  return { status: response.status, headers: response.headers, text: await read(out, response, deadline) };
}

function throughMiddleware(out: Outgoing, sent: Outgoing['headers'], deadline: Deadline): Promise<Response> {
  const { endpoint, method, url, attempt, body, middleware } = out;
  const headers = new Headers(sent);
  headers.delete(KEY);
  const request: MiddlewareRequest = { endpoint, method, url, attempt, headers, body, signal: deadline.signal };
  const run = async (index: number): Promise<Response> => {
    const step = middleware[index];
    if (!step) return follow(out, { ...Object.fromEntries(headers), [KEY]: sent[KEY] as string }, deadline);
    return responseOf(out, 'a middleware', await step(request, () => run(index + 1)));
  };
  return run(0);
}

/** Redirects are followed by hand and within the origin alone, since every runtime forwards `X-API-Key` to another. */
async function follow(out: Outgoing, headers: Outgoing['headers'], deadline: Deadline): Promise<Response> {
  let url = out.url;
  for (let hops = 0; ; hops++) {
    const response = await send(out, url, headers, deadline);
    if (!isRedirect(response)) return response;
    void response.body?.cancel().catch(() => {});
    const target = targetOf(out, url, response, hops);
    if (!target)
      throw errorOf((await lazily(() => import('./redirect-refused.ts'))).redirectRefused(out, url, response));
    url = target;
  }
}

async function send(out: Outgoing, url: string, headers: Outgoing['headers'], deadline: Deadline): Promise<Response> {
  const { fetch = globalThis.fetch } = out;
  // A string and an init, never a Request: Next.js does not see `next` on a Request.
  const init: RequestInit = {
    ...out.fetchOptions,
    method: out.method,
    headers,
    body: out.body ?? null,
    redirect: 'manual',
    signal: deadline.signal,
  };
  try {
    return responseOf(out, 'the option fetch', await fetch(url, init));
  } catch (error) {
    if (deadline.over) throw deadline.over;
    if (error instanceof InputError) throw error;
    const reason = reasonOf(error);
    const times = out.attempt > 1 ? ` in ${out.attempt} attempts` : '';
    const remedy = /\bSSL\b|EPROTO/i.test(reason)
      ? 'Does the server speak https? Else write http:// in baseUrl'
      : 'Check baseUrl, and that the server runs';
    const failure = new NetworkError(
      `${out.endpoint}: ${out.method} ${url} got no answer${times} (${reason}). ${remedy}.`,
      {
        code: 'NETWORK_ERROR',
        phase: 'connect',
        retryable: true,
        refused: isRefusal(error),
        cause: error,
      },
    );
    redactError(failure, out.redact); // a middleware may see it first
    throw failure;
  }
}

function responseOf({ endpoint }: Outgoing, who: string, response: Response): Response {
  if (typeof response?.text === 'function') return response;
  throw refuse(endpoint, `${endpoint}: ${who} gave ${describe(response)}: it must return a Response.`);
}

async function read(out: Outgoing, response: Response, deadline: Deadline): Promise<string> {
  const facts = {
    phase: 'body',
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
  } as const;
  const where = `${out.endpoint}: ${out.method} ${out.url}`;
  let text: string | undefined;
  try {
    text = await deadline.race('body', () => readBody(response, out.maxBodyBytes));
  } catch (error) {
    if (deadline.over) throw deadline.over;
    throw new ResponseError(`${where}: the answer broke off (${reasonOf(error)}).`, {
      ...{ ...facts, code: 'RESPONSE_CUT', retryable: true, cause: error },
    });
  }
  if (text !== undefined) return text;
  const message = `${where}: the answer is longer than ${out.maxBodyBytes} bytes. Check baseUrl, or raise maxBodyBytes.`;
  throw new ResponseError(message, { ...facts, code: 'RESPONSE_TOO_LARGE' });
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** Where a redirect leads that may be followed. */
function targetOf(out: Outgoing, from: string, { headers }: Response, hops: number): string | undefined {
  const location = headers.get('location');
  if (location === null || out.method !== 'GET' || hops >= MAX_REDIRECTS || !URL.canParse(location, from))
    return undefined;
  const target = new URL(location, from);
  return target.origin === new URL(from).origin ? target.href : undefined;
}

/** What lies at the bottom of an error: undici says `fetch failed`, and its cause why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // Of what OpenSSL says the middle: the rest is about its own source.
  const words = error.message.replace(/^.*:(SSL routines):[^:]*:([^:]*):.*$/s, '$1: $2');
  return words || ('code' in error ? String(error.code) : error.name);
}

/** Whether the connection was never made: nothing can have been counted. */
function isRefusal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : '';
    if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return true;
  }
  return false;
}
