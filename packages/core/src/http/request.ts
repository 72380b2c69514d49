import { LIMITS } from '@broadsheet/contract';
import { ApiError } from './api-error.ts';
import { toBytes } from './response.ts';

/**
 * A request as a door provides it. A door without a `Request` of the Fetch standard need not create one, which would
 * cost more than responding from memory.
 */
export interface ApiRequest {
  readonly method: string;
  /** The absolute URL; its path and its query are used. */
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body that must be JSON.
 *
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `INVALID_JSON`, checked in this order
 */
export async function readJsonBody(request: ApiRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be sent as application/json, not ${mediaType ? JSON.stringify(mediaType) : 'without a Content-Type'}.`,
    });
  }
  const isTooLong = Number(request.header('content-length')) > LIMITS.body;
  const bytes = isTooLong ? undefined : await request.body(LIMITS.body);
  if (!bytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${LIMITS.body} bytes.` });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new ApiError('INVALID_JSON', {
      message: `The body is not valid JSON: ${bytes.byteLength === 0 ? 'it is empty' : (error as Error).message}.`,
    });
  }
}
