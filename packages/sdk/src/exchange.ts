import type { EndpointId } from '@broadsheet/contract';
import ky from 'ky';
import type { Deadline } from './deadline.ts';
import { NetworkError, RedirectError, ResponseError } from './error-kinds.ts';
import type { FetchOptions } from './options.ts';
import type { Settings } from './settings.ts';

/** A request, ready to be sent. */
export interface Outgoing {
  readonly endpoint: EndpointId;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly fetchOptions: FetchOptions;
}

/** An answer, read whole and not yet understood. */
export interface Incoming {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MAX_REDIRECTS = 3;

/**
 * Sends a request once and reads the answer whole.
 *
 * Redirects are followed by hand and within the origin alone, since every runtime forwards `X-API-Key` to another.
 */
export async function exchange(settings: Settings, out: Outgoing, deadline: Deadline): Promise<Incoming> {
  let url = out.url;
  for (let hops = 0; ; hops++) {
    const response = await connect(settings, out, url, deadline);
    if (!isRedirect(response))
      return { status: response.status, headers: response.headers, text: await read(out, response, deadline) };
    void response.body?.cancel().catch(() => {});
    url = follow(out, url, response, hops);
  }
}

async function connect(settings: Settings, out: Outgoing, url: string, deadline: Deadline): Promise<Response> {
  const send = (): Promise<Response> =>
    ky(url, {
      ...supported(out.fetchOptions),
      method: out.method,
      headers: out.headers,
      ...(out.body === undefined ? {} : { body: out.body }),
      ...reach(settings, deadline.signal),
      redirect: 'manual',
      // Time, repetition and errors are this package's: ky's differ between runtimes and know nothing of effects.
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    });
  try {
    return await deadline.race('connect', async () => send());
  } catch (error) {
    if (deadline.over) throw deadline.over;
    const cause = rootCause(error);
    throw new NetworkError(`${out.method} ${url} got no answer: ${messageOf(cause)}.`, {
      code: 'NETWORK_ERROR',
      phase: 'connect',
      retryable: true,
      refused: isRefusal(cause),
      cause,
    });
  }
}

// ky joins a signal with its own by AbortSignal.any, which costs a third of a call: the global fetch takes it directly.
// A fetch of the caller may look at the Request alone, so that one gets a Request that has it.
function reach({ options }: Settings, signal: AbortSignal): { fetch: typeof fetch } {
  const { fetch: own } = options;
  if (own) return { fetch: (request, init) => own(new Request(request, { signal }), { ...init, signal }) };
  return { fetch: (request, init) => globalThis.fetch(request, { ...init, signal }) };
}

async function read(out: Outgoing, response: Response, deadline: Deadline): Promise<string> {
  try {
    return await deadline.race('body', () => response.text());
  } catch (error) {
    if (deadline.over) throw deadline.over;
    throw new ResponseError(`${out.method} ${out.url}: the answer broke off (${messageOf(error)}).`, {
      code: 'RESPONSE_CUT',
      phase: 'body',
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryable: true,
      cause: error,
    });
  }
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

function follow(out: Outgoing, from: string, response: Response, hops: number): string {
  const location = response.headers.get('location');
  const target = location === null ? undefined : new URL(location, from);
  if (target && target.origin === new URL(from).origin && out.method === 'GET' && hops < MAX_REDIRECTS)
    return target.href;
  const where = target ? `to ${target.origin}${target.pathname}` : 'elsewhere';
  throw new RedirectError(
    `${out.method} ${from} redirects ${where}, where the key is not sent: set baseUrl to the final address.`,
    { code: 'REDIRECT_REFUSED', phase: 'answer', status: response.status || undefined },
  );
}

// ky's own error holds the Request, and with it the key: only what lies beneath it is kept.
function rootCause(error: unknown): unknown {
  return error instanceof Error && 'request' in error ? (error.cause ?? messageOf(error)) : error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the connection was never made: nothing can have been counted. */
function isRefusal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : '';
    if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return true;
  }
  return false;
}

// workerd throws for every cache mode but these.
function supported(options: FetchOptions): FetchOptions {
  const { cache, ...rest } = options;
  if (cache === undefined || cache === 'no-store' || cache === 'no-cache') return options;
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? rest : options;
}
