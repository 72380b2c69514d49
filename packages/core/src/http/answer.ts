import { type Chunks, isChunks, toBytes } from './body.ts';

/** An answer before it takes the form of a door; its body is buffered unless the type says more. */
export interface ApiAnswer<Body = string | Uint8Array<ArrayBuffer>> {
  readonly status: number;
  /** Names in lower case; `content-length` only where there is no body to measure. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
}

/** The answer in the form of the Fetch standard. */
export function toResponse({ status, headers, body }: ApiAnswer<BodyInit>): Response {
  return new Response(body, { status, headers });
}

/** The answer with the chunks of its body put together; a body of another kind stays as it is. */
export function buffered<Body>({
  body,
  ...answer
}: ApiAnswer<Body>): ApiAnswer<Exclude<Body, Chunks> | Uint8Array<ArrayBuffer>> {
  return { ...answer, body: isChunks(body) ? toBytes(body) : (body as Exclude<Body, Chunks>) };
}
