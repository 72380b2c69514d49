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
    // A body that is not JSON is still a response; a body that breaks off or times out is a failure without one.
    const answer = await response.json().catch((cause: unknown) => {
      if (!(cause instanceof SyntaxError)) throw cause;
    });
    if (response.ok && (!results || (Array.isArray(answer) && answer.length === results))) {
      return answer;
    }
    throw (await loadOnDemand()).errorOf(response, path, answer);
  };
  return {
    deliver: (slots) => post('formats', { slots }, { signal: AbortSignal.timeout(PATIENCE) }, slots.length),
    click: (clickToken, how) => post('tracking/click', { clickToken }, how),
  };
}
