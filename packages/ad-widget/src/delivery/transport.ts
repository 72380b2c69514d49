import type { SlotRequest, SlotResults } from './creative.ts';

/**
 * How the widget talks to the API. The default is {@link fetchTransport}; a proxy, the SDK or a rehearsal can stand in.
 *
 * A rejection may carry a numeric `status`: 409 then means the click was counted before, 400 that its token expired.
 */
export interface Transport {
  /** Asks for one ad per slot, answers in request order (api.md 4.5, POST /public/ads/formats). */
  deliver(slots: readonly SlotRequest[]): Promise<SlotResults>;
  /** Registers a click (api.md 4.5). Called inside the event handler: it must send before it awaits anything. */
  click(clickToken: string, how: { keepalive: boolean }): Promise<unknown>;
}

/** The API answered, and it was not what was asked for. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  declare readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

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
    // Only what the API itself says is repeated; an error page of something in between is not.
    const answer: { error?: { message?: string } } | undefined = await response.json().catch(() => undefined);
    if (response.ok) return Object.assign(answer ?? {}, { requestId: response.headers.get('X-Request-Id') });
    throw new Refusal(response.status, `${path} answered ${response.status}: ${answer?.error?.message ?? ''}`);
  };
  return {
    async deliver(slots) {
      const results = await post('formats', { slots }, { signal: AbortSignal.timeout(PATIENCE) });
      if (Array.isArray(results) && results.length === slots.length) return results;
      throw new Refusal(200, `formats did not answer ${slots.length} results`);
    },
    click: (clickToken, how) => post('tracking/click', { clickToken }, how),
  };
}

/** The HTTP status a rejection carries, whoever made it; 0 when it has none. */
export function statusOf(cause: unknown): number {
  return Number((cause as { status?: unknown } | null | undefined)?.status) || 0;
}

/** Worth repeating: no answer at all, a server in trouble, or too many requests. */
export function isPassing(status: number): boolean {
  return !status || status >= 500 || status === 429;
}
