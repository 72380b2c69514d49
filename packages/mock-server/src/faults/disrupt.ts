import type { ApiAnswer } from '@broadsheet/core';
import type { WorldAnswer } from '../answer.ts';
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
  answer: () => Promise<ApiAnswer>,
  { clock, signal }: Surroundings,
): Promise<WorldAnswer> {
  if (disruption === 'reset') return { status: 0, headers: {}, body: null };
  if (disruption === 'html') return { status: 200, headers: { ...READABLE, 'content-type': 'text/html' }, body: PAGE };
  if (disruption === 'empty')
    return { status: 200, headers: { ...READABLE, 'content-type': 'application/json' }, body: '' };
  const { status, headers, body } = await answer();
  const { 'content-length': _, ...rest } = headers;
  return {
    status,
    headers: disruption === 'wrong-type' ? { ...rest, 'content-type': 'text/plain' } : rest,
    body: body && broken(disruption, bytesOf(body), { clock, signal }),
  };
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
      return stream([half], () => Promise.reject(new TypeError('terminated: the connection was cut')));
    case 'stall':
      return stream([half], () => clock.sleep(Number.POSITIVE_INFINITY, signal));
    case 'drip': {
      const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      );
      return stream(pieces, undefined, () => clock.sleep(DRIP_EVERY, signal));
    }
    default:
      return bytes;
  }
}

function stream(
  pieces: readonly Uint8Array[],
  end?: () => Promise<void>,
  pause?: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces[next];
      if (piece && next > 0) await pause?.();
      if (!piece) {
        await end?.();
        controller.close();
        return;
      }
      next += 1;
      controller.enqueue(piece);
    },
  });
}
