import type { SlotRequest, SlotResults } from './creative.ts';

/**
 * How the widget talks to the API. The default is `fetchTransport`; a proxy, the SDK or a rehearsal can stand in.
 *
 * A rejection may carry a numeric `status`: 409 then means the click was counted before, 400 that its token expired; and
 * `retryAfter`, the milliseconds to wait before the next request.
 */
export interface Transport {
  /** Asks for one ad per slot, answers in request order (api.md 4.5, POST /public/ads/formats). */
  deliver(slots: readonly SlotRequest[]): Promise<SlotResults>;
  /** Registers a click (api.md 4.5). Called inside the event handler: it must send before it awaits anything. */
  click(clickToken: string, how: { keepalive: boolean }): Promise<unknown>;
}
