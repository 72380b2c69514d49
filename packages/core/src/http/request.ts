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
  /** The bytes of the body, or `undefined` if they exceed the limit. A body whose declared length exceeds it is not read. */
  body(limit: number): Promise<Uint8Array | undefined>;
}

/** A request of the Fetch standard as the API reads it. */
export function fromRequest(request: Request): ApiRequest {
  return {
    method: request.method,
    url: request.url,
    header: (name) => request.headers.get(name),
    async body(limit) {
      const declared = request.headers.get('content-length');
      if (declared === null) return request.body ? readAtMost(request.body, limit) : new Uint8Array();
      if (Number(declared) > limit) return undefined;
      // A body cannot be longer than its declared length, so it is read in one piece.
      const bytes = new Uint8Array(await request.arrayBuffer());
      return bytes.byteLength > limit ? undefined : bytes;
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
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
