import type { WorldAnswer } from '../doors/answer.ts';
import type { InnerClock } from '../time/clock.ts';
import type { Disruption } from './fault.ts';

/** Lets a page read the response of a proxy; without CORS it would only see a network error. */
const CORS = { 'access-control-allow-origin': '*' };
const PAGE = '<!doctype html><title>Welcome to hotel Wi-Fi</title><p>Please sign in to continue.</p>';

/** Responses that do not come from the API. */
const FOREIGN: { readonly [D in Disruption]?: WorldAnswer } = {
  reset: { status: 0, headers: {}, body: null },
  html: { status: 200, headers: { ...CORS, 'content-type': 'text/html' }, body: PAGE },
  empty: { status: 200, headers: { ...CORS, 'content-type': 'application/json' }, body: '' },
};

/** What a disruption needs besides the response. */
interface Surroundings {
  readonly clock: InnerClock;
  readonly signal: AbortSignal;
}

/** Disrupts a response. */
export async function disrupt(
  disruption: Disruption,
  answer: () => Promise<WorldAnswer>,
  surroundings: Surroundings,
): Promise<WorldAnswer> {
  const foreign = FOREIGN[disruption];
  if (foreign) return foreign;
  const { status, headers, body } = await answer();
  if (body === null || body instanceof ReadableStream) return { status, headers, body };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const { 'content-length': _, ...rest } = headers;
  return {
    status,
    headers: { ...rest, ...headersOf(disruption, bytes) },
    body: broken(disruption, bytes, surroundings),
  };
}

/** The headers of a broken body. A cut body announces its full length: otherwise its end would look complete. */
function headersOf(disruption: Disruption, { byteLength }: Uint8Array): Readonly<Record<string, string>> {
  if (disruption === 'cut') return { 'content-length': String(byteLength) };
  return disruption === 'wrong-type' ? { 'content-type': 'text/plain' } : {};
}

function broken(
  disruption: Disruption,
  bytes: Uint8Array<ArrayBuffer>,
  surroundings: Surroundings,
): WorldAnswer['body'] {
  if (disruption === 'wrong-type') return bytes;
  if (disruption === 'drip') return stream(drip(bytes, surroundings));
  const half = bytes.slice(0, Math.ceil(bytes.length / 2));
  if (disruption === 'truncate') return half;
  return stream(disruption === 'cut' ? cut(half) : stall(half, surroundings));
}

async function* cut(half: Uint8Array): AsyncGenerator<Uint8Array> {
  yield half;
  await nextTask();
  throw new TypeError('terminated: the connection was cut');
}

async function* stall(half: Uint8Array, { clock, signal }: Surroundings): AsyncGenerator<Uint8Array> {
  yield half;
  await clock.sleep(Number.POSITIVE_INFINITY, signal);
}

const DRIPS = 8;
const DRIP_EVERY = 1000;

async function* drip(bytes: Uint8Array, { clock, signal }: Surroundings): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
  const start = clock.now();
  for (let at = 0; at < bytes.length; at += size) {
    // Each chunk has its own time, so that one advance of the clock can release all of them.
    await clock.sleep(start + (at / size) * DRIP_EVERY - clock.now(), signal);
    yield bytes.slice(at, at + size);
  }
}

/** Waits for the next task, so that the first half is sent. Does not use a timer, which a test may have faked. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** `ReadableStream.from`, which Chromium and Safari lack. */
function stream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
