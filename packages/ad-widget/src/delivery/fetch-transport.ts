import type { Transport } from './transport.ts';

/** Milliseconds after which a delivery without an answer is given up, so that later slots are not held back. */
const PATIENCE = 15_000;

/**
 * Talks to the API with `fetch` alone.
 *
 * @param baseUrl The API's base, for instance `https://blog.example/api`.
 * @param apiKey The blog's public key, sent as `X-API-Key`.
 */
export function fetchTransport(baseUrl: string, apiKey: string): Transport {
  const post = async (path: string, body: object, more: RequestInit): Promise<unknown> => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/public/ads/${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...more,
    });
    const answer: object | undefined = await response.json().catch(() => undefined);
    if (response.ok) return Object.assign(answer ?? {}, { requestId: response.headers.get('X-Request-Id') });
    throw (await import('../on-demand.ts')).refusalOf(response, path, answer);
  };
  return {
    async deliver(slots) {
      const results = await post('formats', { slots }, { signal: AbortSignal.timeout(PATIENCE) });
      if (Array.isArray(results) && results.length === slots.length) return results;
      throw new (await import('../on-demand.ts')).Refusal(200, `formats did not answer ${slots.length} results`);
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, how),
  };
}
