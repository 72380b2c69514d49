import { loadOnDemand } from '../load-on-demand.ts';
import type { SlotResult, Transport } from './creative.ts';

/** Milliseconds after which a delivery without a response is aborted, so that later slots are not held back. */
const PATIENCE = 15_000;

/**
 * Calls the API with `fetch`.
 *
 * @param baseUrl The API's base URL, for instance `https://blog.example/api`.
 * @param apiKey The blog's public key, sent as `X-API-Key`.
 */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
  let headers: Headers | undefined;
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
    // A body that is not JSON is still a response; one that is cut off or times out counts as no response.
    const answer = await response.json().catch((cause: unknown) => {
      if (!(cause instanceof SyntaxError)) throw cause;
    });
    // The response to a click is not an array.
    if (response.ok && answer?.length === results) {
      if (results) headers = response.headers;
      return answer;
    }
    throw (await loadOnDemand()).errorOf(response, path, answer);
  };
  return {
    get headers() {
      return headers;
    },
    deliver: (slots) => {
      // Begins with the time, so that a database stores new keys next to each other.
      const key = [Date.now(), ...crypto.getRandomValues(new Uint32Array(4))].join('-');
      const send = () =>
        post(`formats?idempotencyKey=${key}`, { slots }, { signal: AbortSignal.timeout(PATIENCE) }, slots.length);
      return send().catch(async (cause) => (await loadOnDemand()).repeat(send, cause, headers));
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, how),
  };
}
