import { LIMITS } from '@broadsheet/contract';
import { Failure } from './failure.ts';

/**
 * Reads a body that must be JSON.
 *
 * @throws Failure `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `INVALID_JSON`, looked for in this order.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be sent as application/json, not ${mediaType ? JSON.stringify(mediaType) : 'without a Content-Type'}.`,
    });
  }
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Failure('INVALID_JSON', {
      message: `The body is not valid JSON: ${bytes.byteLength === 0 ? 'it is empty' : (error as Error).message}.`,
    });
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > LIMITS.body) throw tooLarge();
  // With its length declared, a body cannot be longer than that: the whole of it is read at once.
  if (declared !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > LIMITS.body) throw tooLarge();
    return bytes;
  }
  return request.body ? readAtMost(request.body, LIMITS.body) : new Uint8Array();
}

async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(chunk.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${LIMITS.body} bytes.` });
}
