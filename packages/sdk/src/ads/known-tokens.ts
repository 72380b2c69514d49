import { LIMITS } from '@broadsheet/contract';
import type { Call } from '../calls/call.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type { AdTrackingResult } from '../generated/resources.ts';

/** A click token that was delivered or clicked. */
export interface KnownToken {
  /** By the clock of this machine, ten minutes after the token was received, so that a wrong clock does no harm. */
  readonly expiresAt: number;
  /** Whether this client delivered it. Only the API knows when another token expires. */
  readonly delivered: boolean;
  click?: Call<AdTrackingResult, CodeOf<'ads.click'>> | undefined;
}

/** The most tokens to remember. A server that delivers more drops the oldest, which only the API then checks. */
const MOST = 10_000;

/** The click tokens of a client. Remembering one takes constant time. */
export class KnownTokens {
  readonly #tokens = new Map<string, KnownToken>();

  get(token: string): KnownToken | undefined {
    return this.#tokens.get(token);
  }

  remember(token: string, delivered: boolean): KnownToken {
    const now = Date.now();
    // They are in order of arrival and live equally long, so the loop ends at the first that has not expired.
    for (const [old, { expiresAt }] of this.#tokens) {
      if (expiresAt > now && this.#tokens.size < MOST) break;
      this.#tokens.delete(old);
    }
    const known = { expiresAt: now + LIMITS.clickTokenTtl * 1000, delivered };
    this.#tokens.set(token, known);
    return known;
  }
}
