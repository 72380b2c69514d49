import type { WorldAnswer } from '../doors/answer.ts';

/** The JSON of an answer; `undefined` when it has none, or a stream. Apart from the doors, which pages load at once. */
export function readJson({ body }: WorldAnswer): unknown {
  if (!body || body instanceof ReadableStream) return undefined;
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
