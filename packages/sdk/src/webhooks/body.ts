import { WebhookError } from './webhook-error.ts';

/** The body of a request as it was received: as text, as bytes, or as a stream, such as a request of Node. */
export type RawBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** The bytes that are read of a body; the body of an event names what changed and is much shorter. */
const MAX_BODY = 256 * 1024;

/** A body as text. @throws WebhookError when it is empty, too large, cut off, or not what was received */
export async function readBody(body: RawBody | Request): Promise<string> {
  const text = typeof body === 'string' ? body : await readChunks(chunksOf(body));
  if (text !== '') return text;
  throw unreadable('The body of the request is empty. Pass it before anything else reads it.');
}

const unreadable = (message: string, cause?: unknown) => new WebhookError('BODY_UNREADABLE', message, cause);

function chunksOf(body: Uint8Array | AsyncIterable<Uint8Array> | Request): AsyncIterable<Uint8Array> | [Uint8Array] {
  if (body instanceof Uint8Array) return [body];
  if (typeof body === 'object' && body !== null) {
    if (Symbol.asyncIterator in body) return body;
    if (body.bodyUsed || body.body?.locked) {
      const advice = 'Pass the request to unwrap before anything reads it, or a clone of it.';
      throw unreadable(`The body of the request was already read, or is being read. ${advice}`);
    }
    // What parses JSON gives an object without a stream.
    if (body.body === null || typeof body.body?.getReader === 'function') return streamed(body.body);
  }
  const advice = 'JSON that was parsed has lost the bytes that were signed: use express.raw(), for example.';
  throw unreadable(`The body is neither text, nor bytes, nor a stream. ${advice}`);
}

/** The chunks of a stream: not every browser can iterate over one. */
async function* streamed(stream: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
  } finally {
    void reader?.cancel().catch(() => {});
  }
}

async function readChunks(chunks: AsyncIterable<Uint8Array> | [Uint8Array]): Promise<string> {
  // A byte order mark is signed as well.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let size = 0;
  let text = '';
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > MAX_BODY) break;
      text += utf8.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw unreadable('The connection closed while the body was read.', cause);
  }
  if (size <= MAX_BODY) return text + utf8.decode();
  throw new WebhookError('BODY_TOO_LARGE', `The body is longer than ${MAX_BODY / 1024} KiB, as no webhook is.`);
}
