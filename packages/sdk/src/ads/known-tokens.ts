import { LIMITS } from '@broadsheet/contract';
import type { Call } from '../calls/call.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type { AdTrackingResult } from '../generated/resources.ts';

/** A click token that was delivered or clicked. */
export interface KnownToken {
  /** By the clock of this machine: ten minutes from the moment it came, so a wrong clock does no harm. */
  readonly expiresAt: number;
  /** Whether this client delivered it. When another token ends is for the API to decide. */
  readonly delivered: boolean;
  click?: Call<AdTrackingResult, CodeOf<'ads.click'>> | undefined;
}

/** Tokens remembered at most: a server that delivers more forgets the oldest, which only the API then judges. */
const MOST = 10_000;

/** The click tokens of a client. Remembering one costs the same however many there are. */
export class KnownTokens {
  readonly #tokens = new Map<string, KnownToken>();

  get(token: string): KnownToken | undefined {
    return this.#tokens.get(token);
  }

  remember(token: string, delivered: boolean): KnownToken {
    const now = Date.now();
    // In the order in which they came, and all live equally long: the first that is not over ends the search.
    for (const [old, { expiresAt }] of this.#tokens) {
      if (expiresAt > now && this.#tokens.size < MOST) break;
      this.#tokens.delete(old);
    }
    const known = { expiresAt: now + LIMITS.clickTokenTtl * 1000, delivered };
    this.#tokens.set(token, known);
    return known;
  }
}
