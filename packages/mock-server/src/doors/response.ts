import { type ApiCall, type ApiRequest, type Caller, forwardedAddress, fromRequest } from '@broadsheet/core';

/** A request to a world, from any adapter. */
export interface WorldRequest extends ApiRequest {
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
}

/** A body that is changed in transit. */
export type BodyStream = ReadableStream<Uint8Array>;

/** The response of a world. */
export interface WorldResponse {
  /** 0 means that the connection broke before anything was sent. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | BodyStream | null;
}

/** The request of a call, as the adapter passed it. */
export const requestOf = (call: ApiCall): WorldRequest => call.request as WorldRequest;

/** Converts a request of the Fetch standard. */
export function fromFetch(request: Request): WorldRequest {
  return { ...fromRequest(request), headers: Object.fromEntries(request.headers), signal: request.signal };
}

const utf8 = new TextDecoder();

/** The JSON of a response, or else its text; `undefined` when it has no body, or a stream. */
export function bodyOf({ body }: Pick<WorldResponse, 'body'>): unknown {
  if (body === null || body instanceof ReadableStream) return undefined;
  const text = typeof body === 'string' ? body : utf8.decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The result of `fetch`: a broken connection is thrown. */
export function asFetch({ status, headers, body }: WorldResponse): Response {
  if (status !== 0) return new Response(body, { status, headers });
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

/** The IP address of a visitor that neither the test nor the adapter knows. */
const SOME_IP = '192.0.2.1';

/**
 * The caller of a request, from its headers (as behind one proxy), otherwise from the settings of the test, otherwise
 * from the adapter.
 */
export function callerOf({ header }: ApiRequest, visitor: Caller, { ip = SOME_IP, origin }: Caller): Caller {
  const hops = header('x-forwarded-for');
  const forwarded = hops === null ? undefined : forwardedAddress(hops, 1);
  return { ip: forwarded ?? visitor.ip ?? ip, origin: visitor.origin ?? origin };
}

/** The page that sent a request without an `Origin` header: in a browser, the current page. */
export function pageOf({ referrer = '' }: Partial<Request> = {}): Caller {
  const page = (globalThis as { location?: { origin?: string } }).location;
  // Most referrers in Node are `about:client`, and parsing a URL is slow.
  const origin = /^https?:/.test(referrer) ? new URL(referrer).origin : page?.origin;
  return { origin: origin === 'null' ? undefined : origin };
}

/**
 * Prints an error of the test, such as one in a function of `world.answer`: the caller only sees that the connection
 * broke. Connections that break on purpose are not reported.
 */
export function reportError(request: string, error: unknown): void {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name !== 'AbortError' && cause?.code !== 'ECONNRESET') console.error(`mock: ${request} failed:`, error);
}
