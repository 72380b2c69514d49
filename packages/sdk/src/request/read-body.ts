import { ResponseError } from '../errors/error-kinds.ts';
import type { ErrorFacts } from '../errors/errors.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';

const decoder = new TextDecoder();

/** The text of a response. A small response may expand to gigabytes, so the bytes are counted as they arrive. */
export async function readBody(exchange: Exchange, response: Response, deadline: Deadline): Promise<string> {
  const { maxBodyBytes } = exchange.options;
  try {
    if (!response.body) return await response.text(); // without a body, or a test's stand-in for a response
    const reader = response.body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = 0; size <= maxBodyBytes; ) {
      const { done, value } = await reader.read();
      if (done) return chunks.length > 1 ? join(chunks) : decoder.decode(chunks[0]);
      size += value.byteLength;
      chunks.push(value);
    }
    void reader.cancel().catch(() => {});
  } catch (cause) {
    if (deadline.over) throw deadline.over;
    const why = `the connection closed while the response was read (${reasonOf(cause)})`;
    throw bodyError(exchange, response, why, { code: 'RESPONSE_CUT', retryable: true, cause });
  }
  const why = `the response is longer than ${maxBodyBytes} bytes. Check baseUrl, or raise maxBodyBytes`;
  throw bodyError(exchange, response, why, { code: 'RESPONSE_TOO_LARGE' });
}

function join(chunks: readonly Uint8Array[]): string {
  const joining = new TextDecoder();
  return chunks.map((chunk) => joining.decode(chunk, { stream: true })).join('') + joining.decode();
}

function bodyError(
  { id, endpoint, url }: Exchange,
  { status, headers }: Response,
  why: string,
  facts: Omit<ErrorFacts, 'phase'>,
): ResponseError {
  const requestId = headers.get('x-request-id') ?? undefined;
  return new ResponseError(`${id}: ${endpoint.method} ${url}: ${why}.`, { ...facts, phase: 'body', status, requestId });
}

/** The message of the innermost cause: undici's own is only `fetch failed`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // The middle of a message of OpenSSL: the rest is about its own source.
  const words = error.message.replace(/^.*:(SSL routines):[^:]*:([^:]*):.*$/s, '$1: $2');
  return words || ('code' in error ? String(error.code) : error.name);
}
