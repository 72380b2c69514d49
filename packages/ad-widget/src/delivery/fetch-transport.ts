import { loadOnDemand } from '../load-on-demand.ts';
import type { SlotResult, Transport } from './creative.ts';

/** Milliseconds after which a request without a response is aborted, so that later slots are not held back. */
const PATIENCE = 15_000;

/** Whether a response is the one that the API document promises. Anything else with status 200 is not from the API. */
type Fits = (payload: { readonly status?: unknown; readonly length?: number } | null | undefined) => boolean;

/** A click, or a call without effect. A service worker may respond with its offline page, and a captive portal with its own. */
const isOk: Fits = (payload) => payload?.status === 'ok';

/** Calls the API at a base URL such as `https://blog.example/api`, with `fetch` and the blog's public key. */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
  const post = async (path: string, body: object, fits: Fits, more?: RequestInit) => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/public/ads/${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
      ...more,
    });
    const payload = response.ok && (await response.json().catch((cause: unknown) => cause));
    if (!response.ok || !fits(payload)) throw await (await loadOnDemand()).errorOf(response, path, payload);
    return [response.headers, payload] as const;
  };
  return {
    async deliverBatch(slots, { idempotencyKey }) {
      const [headers, results] = await post(
        `formats?idempotencyKey=${idempotencyKey}`,
        { slots },
        (results) => results?.length === slots.length && Array.isArray(results),
      );
      const viewableUrl = headers.get('Broadsheet-Viewable');
      return results.map((result: SlotResult) => ({ ...result, viewableUrl }));
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, isOk, how),
    // The request has no effect (api.md 4.5).
    acceptsKeys: async () => (await post('tracking/impression', {}, isOk))[0].has('Idempotency-Accepted'),
  };
}
