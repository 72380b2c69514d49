import { loadOnDemand } from '../load-on-demand.ts';
import type { SlotResult, Transport } from './creative.ts';

/** Milliseconds after which a delivery without an answer is given up, so that later slots are not held back. */
const PATIENCE = 15_000;

/**
 * Talks to the API with `fetch` alone.
 *
 * @param baseUrl The API's base, for instance `https://blog.example/api`.
 * @param apiKey The blog's public key, sent as `X-API-Key`.
 */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
  /** The API counts a delivery once, however often it arrives with its key. */
  let accepted = false;
  const post = async (
    path: string,
    body: object,
    more: RequestInit,
    results?: number,
  ): Promise<readonly SlotResult[]> => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/public/ads/${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...more,
    });
    accepted ||= response.headers.has('Idempotency-Accepted');
    // A body that is not JSON is still a response; a body that breaks off or times out is a failure without one.
    const answer = await response.json().catch((cause: unknown) => {
      if (!(cause instanceof SyntaxError)) throw cause;
    });
    // The answer to a click is no array.
    if (response.ok && answer?.length === results) return answer;
    throw (await loadOnDemand()).errorOf(response, path, answer);
  };
  return {
    deliver: (slots) => {
      const key = crypto.getRandomValues(new Uint32Array(5)).join('-');
      const send = () =>
        post(`formats?idempotencyKey=${key}`, { slots }, { signal: AbortSignal.timeout(PATIENCE) }, slots.length);
      return send().catch(async (cause) => (await loadOnDemand()).repeat(send, cause, accepted));
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, how),
  };
}
