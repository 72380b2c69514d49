import { type ApiAnswer, type ApiRequest, fromRequest } from '@broadsheet/core';

/** A request as a world takes it, from whichever door. */
export interface WorldRequest extends ApiRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Says when the caller gives up. */
  readonly signal: AbortSignal;
}

/** An answer as a world gives it. A stream is a body to which something happens on its way. */
export interface WorldAnswer {
  /** 0 is a connection that broke before anything was said. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiAnswer['body'] | ReadableStream<Uint8Array>;
}

/** A request of the Fetch standard. */
export function fromFetch(request: Request): WorldRequest {
  return { ...fromRequest(request), headers: Object.fromEntries(request.headers), signal: request.signal };
}

/** An answer in the form of the Fetch standard; a broken connection is its network error. */
export function toFetch({ status, headers, body }: WorldAnswer): Response {
  return status === 0 ? Response.error() : new Response(body, { status, headers });
}

const utf8 = new TextDecoder();

/** The JSON of a body, or `undefined` when it holds none, or none that can be read. */
export function jsonOf(body: WorldAnswer['body'] | undefined): unknown {
  if (!body || body instanceof ReadableStream) return undefined;
  try {
    return JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
  } catch {
    return undefined;
  }
}
