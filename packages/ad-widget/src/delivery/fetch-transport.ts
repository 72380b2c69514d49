import { loadOnDemand } from '../load-on-demand.ts';
import type { SlotResult, Transport } from './creative.ts';

/** Milliseconds after which a request without a response is aborted, so that later slots are not held back. */
const PATIENCE = 15_000;

/** Calls the API at a base URL such as `https://blog.example/api`, with `fetch` and the blog's public key. */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
  /** @param count The length of the array that the response must be; without it, the response is not an array. */
  const post = async (path: string, body: object, count?: number, more?: RequestInit) => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/public/ads/${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
      ...more,
    });
    const payload = response.ok && (await response.json().catch((cause: unknown) => cause));
    if (!response.ok || payload?.length !== count) throw await (await loadOnDemand()).errorOf(response, path, payload);
    return [response.headers, payload] as const;
  };
  return {
    async deliverBatch(slots, { idempotencyKey }) {
      const [headers, results] = await post(`formats?idempotencyKey=${idempotencyKey}`, { slots }, slots.length);
      const viewableUrl = headers.get('Broadsheet-Viewable');
      return results.map((result: SlotResult) => ({ ...result, viewableUrl }));
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, undefined, how),
    // The request has no effect (api.md 4.5).
    acceptsKeys: async () => (await post('tracking/impression', {}))[0].has('Idempotency-Accepted'),
  };
}
