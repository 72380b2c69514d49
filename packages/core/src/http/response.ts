/** A response before a door sends it; its body is buffered unless the type says otherwise. */
export interface ApiResponse<Body = string | Uint8Array<ArrayBuffer>> {
  readonly status: number;
  /** Names in lower case; `content-length` only where there is no body to measure. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
}

/** The response as a `Response` of the Fetch standard. */
export function toResponse({ status, headers, body }: ApiResponse<BodyInit>): Response {
  return new Response(body, { status, headers });
}

/** The response with the chunks of its body joined; a body of another kind is unchanged. */
export function buffered<Body>({
  body,
  ...response
}: ApiResponse<Body>): ApiResponse<Exclude<Body, Chunks> | Uint8Array<ArrayBuffer>> {
  return { ...response, body: isChunks(body) ? toBytes(body) : (body as Exclude<Body, Chunks>) };
}

/** The body of a response: bytes, which may be shared, a string, or chunks. */
export type ResponseBody = string | Uint8Array<ArrayBuffer> | Chunks;

/** Bytes in consecutive pieces, so that large bodies need not be copied. */
export interface Chunks {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Whether the receiver owns the buffers and may free their memory; otherwise others read them too. */
  readonly owned: boolean;
}

const utf8 = new TextEncoder();

export function isChunks(body: unknown): body is Chunks {
  return typeof body === 'object' && body !== null && 'chunks' in body;
}

/** The bytes of a body; for a string its length, which is close enough for an estimate. */
export function sizeOf(body: ResponseBody): number {
  return isChunks(body) ? body.chunks.reduce((size, chunk) => size + chunk.byteLength, 0) : body.length;
}

/** A body in one piece; a string becomes UTF-8. */
export function toBytes(body: ResponseBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8.encode(body);
  if (!isChunks(body)) return body;
  const joined = new Uint8Array(sizeOf(body));
  let at = 0;
  for (const chunk of body.chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
