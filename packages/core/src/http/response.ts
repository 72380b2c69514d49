/** A response before a door sends it; its body is buffered unless the type says otherwise. */
export interface ApiResponse<Body = string | Uint8Array<ArrayBuffer>> {
  readonly status: number;
  /** Names in lower case; `content-length` only where there is no body to measure. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
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

/** Bytes in consecutive chunks, so that large bodies need not be copied. */
export interface Chunks {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Whether the receiver owns the buffers and may free their memory; otherwise others read them too. */
  readonly owned: boolean;
}

const utf8 = new TextEncoder();

export function isChunks(body: unknown): body is Chunks {
  return typeof body === 'object' && body !== null && 'chunks' in body;
}

/** The number of bytes of a body; for a string its length, which is close enough for an estimate. */
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

/** A value as its JSON, in a string or in UTF-8; `before` and `after` surround it, such as the brackets of a list. */
export class Encoded<T> {
  readonly json: Chunks | string;
  readonly before: string;
  readonly after: string;
  /** Phantom property: carries only the type. */
  declare readonly value: T;

  constructor(json: Chunks | string, before = '', after = '') {
    this.json = json;
    this.before = before;
    this.after = after;
  }

  /** The JSON between two more strings; bytes are not copied. */
  within(before: string, after: string): Chunks | string {
    const start = before + this.before;
    const end = this.after + after;
    if (typeof this.json === 'string') return start + this.json + end;
    return { ...this.json, chunks: [utf8.encode(start), ...this.json.chunks, utf8.encode(end)] };
  }
}

/** Whether a value is {@link Encoded}, even by another copy of this module. */
export const isEncoded = (value: unknown): value is Encoded<unknown> => typeof Object(value).within === 'function';

/** A value, or its JSON if it is already encoded. */
export type MaybeEncoded<T> = T | Encoded<T>;

/** The value, decoded if necessary. */
export function decoded<T>(value: MaybeEncoded<T>): T {
  if (!isEncoded(value)) return value;
  const { json, before, after } = value;
  return JSON.parse(before + (typeof json === 'string' ? json : new TextDecoder().decode(toBytes(json))) + after);
}
