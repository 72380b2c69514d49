import type { WorldAnswer } from '../doors/answer.ts';
import type { InnerClock } from '../time/clock.ts';
import type { Disruption } from './fault.ts';

const PAGE = '<!doctype html><title>Welcome to hotel Wi-Fi</title><p>Please sign in to go on.</p>';
/** Whatever stands between a page and the API, the page may read it: else all it would see is a network error. */
const READABLE = { 'access-control-allow-origin': '*' };
const DRIPS = 8;
const DRIP_EVERY = 1000;

/** What a disruption needs beside the answer. */
interface Surroundings {
  readonly clock: InnerClock;
  readonly signal: AbortSignal;
}

/** An answer as it arrives after something happened to it. */
export async function disrupt(
  disruption: Disruption,
  answer: () => Promise<WorldAnswer>,
  { clock, signal }: Surroundings,
): Promise<WorldAnswer> {
  if (disruption === 'reset') return { status: 0, headers: {}, body: null };
  if (disruption === 'html') return { status: 200, headers: { ...READABLE, 'content-type': 'text/html' }, body: PAGE };
  if (disruption === 'empty')
    return { status: 200, headers: { ...READABLE, 'content-type': 'application/json' }, body: '' };
  const { status, headers, body } = await answer();
  if (body === null || body instanceof ReadableStream) return { status, headers, body };
  const bytes = bytesOf(body);
  const { 'content-length': _, ...rest } = headers;
  return {
    status,
    headers: { ...rest, ...headersOf(disruption, bytes) },
    body: broken(disruption, bytes, { clock, signal }),
  };
}

/** The headers of a broken body. That of a cut one is announced with its full length: else its end would look like an end. */
function headersOf(disruption: Disruption, { byteLength }: Uint8Array): Readonly<Record<string, string>> {
  if (disruption === 'cut') return { 'content-length': String(byteLength) };
  return disruption === 'wrong-type' ? { 'content-type': 'text/plain' } : {};
}

const bytesOf = (body: string | Uint8Array<ArrayBuffer>) =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

function broken(
  disruption: Disruption,
  bytes: Uint8Array<ArrayBuffer>,
  { clock, signal }: Surroundings,
): WorldAnswer['body'] {
  const half = bytes.slice(0, Math.ceil(bytes.length / 2));
  switch (disruption) {
    case 'truncate':
      return half;
    case 'cut':
      return stream([half], async () => {
        await aTurn();
        throw new TypeError('terminated: the connection was cut');
      });
    case 'stall':
      return stream([half], () => clock.sleep(Number.POSITIVE_INFINITY, signal));
    case 'drip': {
      const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      );
      // Each has its own time, so that one move of the clock may bring them all.
      const start = clock.now();
      return stream(chunks, undefined, (n) => clock.sleep(start + n * DRIP_EVERY - clock.now(), signal));
    }
    default:
      return bytes;
  }
}

/** A turn of the event loop, so that what was sent is on its way; no timer, since a test may have faked those. */
function aTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

function stream(
  chunks: readonly Uint8Array[],
  end?: () => Promise<void>,
  pause?: (chunk: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks[next];
      if (chunk && next > 0) await pause?.(next);
      if (!chunk) {
        await end?.();
        controller.close();
        return;
      }
      next += 1;
      controller.enqueue(chunk);
    },
  });
}
