import type { LIMITS } from '@broadsheet/contract';
import type { Shared } from '../calls/shared.ts';
import type { Incoming } from '../response/incoming.ts';

/** A click token that was delivered or clicked. */
export interface KnownToken {
  /** By the clock of this machine, ten minutes after the token was received, so that a wrong clock does no harm. */
  readonly expiresAt: number;
  /** Whether this client delivered it. Only the API knows when another token expires. */
  readonly delivered: boolean;
  /** Whether the response to a click was lost, so that the API may have counted it. */
  wasLost?: boolean;
  /** The click that succeeded. */
  click?: unknown;
}

/** Seconds. A literal, so that the contract's table stays out of a page. */
const TTL: (typeof LIMITS)['clickTokenTtl'] = 600;
/** The maximum number of tokens. A server that delivers more drops the oldest, which only the API then checks. */
const MOST = 10_000;

/** Remembers a click token, in constant time. */
export function remember(tokens: AdMemory['tokens'], token: string, delivered: boolean): KnownToken {
  const now = Date.now();
  // They are in order of arrival and are valid equally long, so the loop ends at the first token that has not expired.
  for (const [old, { expiresAt }] of tokens) {
    if (expiresAt > now && tokens.size < MOST) break;
    tokens.delete(old);
  }
  const known = { expiresAt: now + TTL * 1000, delivered };
  tokens.set(token, known);
  return known;
}

/** The facts that a client has learned from responses about ads. Clients that `with()` creates share them. */
export interface AdMemory {
  readonly tokens: Map<string, KnownToken>;
  /** The clicks in progress, which equal clicks join. */
  readonly inFlight: Map<string, Shared<Incoming>>;
  /** Whether the API counts deliveries with one key once, as the latest response about keys said. */
  acceptsKeys?: boolean;
}
