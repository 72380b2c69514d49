import { CORS } from '@broadsheet/core';
import type { InnerClock } from '../time/clock.ts';
import type { Disruption } from './fault.ts';

const PAGE = '<!doctype html><title>Welcome to hotel Wi-Fi</title><p>Please sign in to go on.</p>';
const DRIPS = 8;
const DRIP_EVERY = 1000;

/** What a disruption needs beside the answer. */
interface Surroundings {
  readonly clock: InnerClock;
  readonly signal: AbortSignal;
}

/** An answer as it arrives after something happened to it. `reset` is the network error of the Fetch standard. */
export async function disrupt(
  disruption: Disruption,
  answer: () => Promise<Response>,
  { clock, signal }: Surroundings,
): Promise<Response> {
  if (disruption === 'reset') return Response.error();
  if (disruption === 'html') return new Response(PAGE, { headers: { ...CORS, 'content-type': 'text/html' } });
  if (disruption === 'empty') return new Response('', { headers: { ...CORS, 'content-type': 'application/json' } });
  const whole = await answer();
  const { status } = whole;
  const headers = new Headers(whole.headers);
  headers.delete('content-length');
  if (disruption === 'wrong-type') headers.set('content-type', 'text/plain');
  const bytes = new Uint8Array(await whole.arrayBuffer());
  return new Response(body(disruption, bytes, { clock, signal }), { status, headers });
}

function body(disruption: Disruption, bytes: Uint8Array<ArrayBuffer>, { clock, signal }: Surroundings): BodyInit {
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
