import { LIMITS } from '@broadsheet/contract';
import { toBytes } from './response.ts';

/**
 * A request as a door provides it. A door that has no `Request` of the Fetch standard need not create one, which would
 * cost more than a response from memory.
 */
export interface ApiRequest {
  readonly method: string;
  /** The absolute URL, which must be valid; its path and its query are used. */
  readonly url: string;
  /** A header by its name in lower case, or `null`. */
  header(name: string): string | null;
  /** The bytes of the body, or `undefined` when there are more than `limit`. */
  body(limit: number): Promise<Uint8Array | undefined>;
}

/** A request of the Fetch standard as the API reads it. */
export function fromRequest(request: Request): ApiRequest {
  return {
    method: request.method,
    url: request.url,
    header: (name) => request.headers.get(name),
    async body(limit) {
      // A body cannot be longer than its declared length, so it is read in one piece.
      if (request.headers.has('content-length')) {
        const bytes = new Uint8Array(await request.arrayBuffer());
        return bytes.byteLength > limit ? undefined : bytes;
      }
      return request.body ? readAtMost(request.body, limit) : new Uint8Array();
    },
  };
}

/**
 * The bytes of a body, or `undefined` if they exceed the limit. A body whose declared length exceeds the limit is not
 * read.
 */
export async function limitedBody(request: ApiRequest): Promise<Uint8Array | undefined> {
  const isTooLong = Number(request.header('content-length')) > LIMITS.body;
  return isTooLong ? undefined : request.body(LIMITS.body);
}

async function readAtMost(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(chunk.value);
  }
  return toBytes({ chunks, owned: true });
}
