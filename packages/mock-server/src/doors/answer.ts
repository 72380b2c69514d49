import { type ApiCall, type ApiRequest, type Caller, fromRequest } from '@broadsheet/core';

/** A request as a world takes it, from whichever door. */
export interface WorldRequest extends ApiRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
}

/** A body to which something happens on its way. */
export type BodyStream = ReadableStream<Uint8Array>;

/** An answer as a world gives it. */
export interface WorldAnswer {
  /** 0 is a connection that broke before anything was sent. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | BodyStream | null;
}

/** The request of a call, as the door handed it over. */
export const requestOf = (call: ApiCall): WorldRequest => call.request as WorldRequest;

/** A request of the Fetch standard. */
export function fromFetch(request: Request): WorldRequest {
  return { ...fromRequest(request), headers: Object.fromEntries(request.headers), signal: request.signal };
}

/** An answer in the form of the Fetch standard; a broken connection is its network error. */
export function toFetch({ status, headers, body }: WorldAnswer): Response {
  return status === 0 ? Response.error() : new Response(body, { status, headers });
}

const utf8 = new TextDecoder();

/** The JSON of an answer, or else its text; `undefined` when it has no body, or a stream. */
export function bodyOf({ body }: Pick<WorldAnswer, 'body'>): unknown {
  if (body === null || body instanceof ReadableStream) return undefined;
  const text = typeof body === 'string' ? body : utf8.decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What `fetch` makes of an answer: a broken connection is a rejection. */
export function asFetch(answer: WorldAnswer): Response {
  if (answer.status !== 0) return toFetch(answer);
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

/** The page a request comes from, where requests do not say so themselves: in a browser, this one. */
export function pageOf(request?: Request): Caller {
  const { referrer = '' } = request ?? {};
  const origin = URL.canParse(referrer) ? new URL(referrer).origin : 'null';
  const page = (globalThis as { location?: { origin?: string } }).location;
  // What is no page, such as `about:client`, has the origin null.
  return { origin: [origin, page?.origin].find((one) => one && one !== 'null') };
}
