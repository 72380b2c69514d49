import type { WorldResponse } from '../doors/response.ts';
import type { InnerClock } from '../time/clock.ts';
import type { TransportFault } from './fault.ts';

/** Lets a page read the response of a proxy; without CORS it would only see a network error. */
const CORS = { 'access-control-allow-origin': '*' };
const PAGE = '<!doctype html><title>Welcome to hotel Wi-Fi</title><p>Please sign in to continue.</p>';

/** Responses that do not come from the API. */
const FOREIGN: { readonly [F in TransportFault]?: WorldResponse } = {
  reset: { status: 0, headers: {}, body: null },
  html: { status: 200, headers: { ...CORS, 'content-type': 'text/html' }, body: PAGE },
  empty: { status: 200, headers: { ...CORS, 'content-type': 'application/json' }, body: '' },
};

/** What a fault needs besides the response. */
interface Surroundings {
  readonly clock: InnerClock;
  readonly signals: readonly AbortSignal[];
}

/** Breaks a response in transit. */
export async function breakInTransit(
  fault: TransportFault,
  respond: () => Promise<WorldResponse>,
  surroundings: Surroundings,
): Promise<WorldResponse> {
  const foreign = FOREIGN[fault];
  if (foreign) return foreign;
  const whole = await respond();
  if (whole.body === null || whole.body instanceof ReadableStream) return whole;
  const bytes = typeof whole.body === 'string' ? new TextEncoder().encode(whole.body) : whole.body;
  const half = bytes.slice(0, Math.ceil(bytes.length / 2));
  const { 'content-length': _, ...headers } = whole.headers;
  const sent = (body: WorldResponse['body'], more = {}) => ({ ...whole, headers: { ...headers, ...more }, body });
  if (fault === 'wrong-type') return sent(bytes, { 'content-type': 'text/plain' });
  if (fault === 'truncate') return sent(half);
  // It announces the full length: otherwise its end would look complete.
  if (fault === 'cut') return sent(stream(cut(half)), { 'content-length': String(bytes.byteLength) });
  return sent(stream(fault === 'drip' ? drip(bytes, surroundings) : stall(half, surroundings)));
}

async function* cut(half: Uint8Array): AsyncGenerator<Uint8Array> {
  yield half;
  await nextTask();
  throw new TypeError('terminated: the connection was cut', { cause: { code: 'ECONNRESET' } });
}

async function* stall(half: Uint8Array, { clock, signals }: Surroundings): AsyncGenerator<Uint8Array> {
  yield half;
  await clock.sleep(Number.POSITIVE_INFINITY, signals);
}

const DRIPS = 8;
const DRIP_EVERY = 1000;

async function* drip(bytes: Uint8Array, { clock, signals }: Surroundings): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
  const start = clock.now();
  for (let at = 0; at < bytes.length; at += size) {
    // Each chunk has its own time, so that one advance of the clock can release all of them.
    await clock.sleep(start + (at / size) * DRIP_EVERY - clock.now(), signals);
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
