import { type ClickClaims, type Clock, readClaims } from '@broadsheet/core';
import { bodyOf, type WorldResponse } from '../doors/response.ts';
import { computed } from '../worlds/computed.ts';

/** A click token that a world issued (api.md 3). */
export interface IssuedToken {
  readonly token: string;
  readonly id: string;
  readonly adId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly state: 'valid' | 'used' | 'expired';
}

/** The click tokens of a world, oldest first. */
export interface TokenBook {
  readonly issued: readonly IssuedToken[];
  readonly valid: readonly IssuedToken[];
  readonly used: readonly IssuedToken[];
  readonly expired: readonly IssuedToken[];
}

/** Beyond twice as many tokens the ledger forgets the oldest; the store still knows which were used. */
const MAX_TOKENS = 10_000;

/** The store's record of used tokens. */
interface Clicks {
  hadClick(tokenId: string): boolean;
}

/** Remembers the tokens of deliveries. */
export class TokenLedger {
  #tokens: string[];
  readonly #clock: Clock;
  readonly #clicks: Clicks;

  constructor(clock: Clock, clicks: Clicks, tokens: readonly string[]) {
    this.#tokens = [...tokens];
    this.#clock = clock;
    this.#clicks = clicks;
  }

  get book(): TokenBook {
    const inState = (wanted: IssuedToken['state']) => () => this.#issued().filter(({ state }) => state === wanted);
    return computed({
      issued: () => this.#issued(),
      valid: inState('valid'),
      used: inState('used'),
      expired: inState('expired'),
    });
  }

  get tokens(): readonly string[] {
    return this.#tokens;
  }

  /** Records the tokens in the response to a delivery, single or batch. */
  add(response: WorldResponse): void {
    for (const { clickToken } of [bodyOf(response) as { clickToken?: string }].flat()) {
      if (clickToken !== undefined) this.#tokens.push(clickToken);
    }
    if (this.#tokens.length > 2 * MAX_TOKENS) this.#tokens = this.#tokens.slice(-MAX_TOKENS);
  }

  #issued(): IssuedToken[] {
    return this.#tokens.map((token) => {
      const { jti, sub, iat, exp } = readClaims(token) as ClickClaims;
      const expiresAt = exp * 1000;
      const used = this.#clicks.hadClick(jti);
      const state = used ? 'used' : this.#clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  }
}
