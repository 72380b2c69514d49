import { type Around, buffered, type ClickClaims, type Clock, readClaims } from '@broadsheet/core';
import { type BodyStream, bodyOf } from '../doors/answer.ts';
import { lists } from './journal.ts';

/**
 * A click token that a world issued (api.md 3).
 *
 * @example
 * ```ts
 * const [first]: readonly IssuedToken[] = world.tokens.issued;
 * expect(first?.state).toBe('valid');
 * ```
 */
export interface IssuedToken {
  readonly token: string;
  readonly id: string;
  readonly adId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly state: 'valid' | 'used' | 'expired';
}

/**
 * The click tokens of a world, oldest first.
 *
 * @example
 * ```ts
 * const { issued, used }: TokenBook = world.tokens;
 * expect(used).toHaveLength(issued.length);
 * ```
 */
export interface TokenBook {
  readonly issued: readonly IssuedToken[];
  readonly valid: readonly IssuedToken[];
  readonly used: readonly IssuedToken[];
  readonly expired: readonly IssuedToken[];
}

/** Beyond about this many tokens the ledger forgets the oldest; the store still knows which were used. */
const MAX_TOKENS = 10_000;

const STATES = ['issued', 'valid', 'used', 'expired'] as const;

/** The store's record of used tokens. */
interface Clicks {
  hadClick(tokenId: string): boolean;
}

/** Remembers the tokens of deliveries. */
export class TokenLedger {
  tokens: readonly string[] = [];
  readonly #clock: Clock;
  readonly #clicks: Clicks;
  #book: TokenBook | undefined;

  constructor(clock: Clock, clicks: Clicks) {
    this.#clock = clock;
    this.#clicks = clicks;
  }

  get book(): TokenBook {
    this.#book ??= lists(STATES, (name) => this.#issued().filter(({ state }) => name === 'issued' || state === name));
    return this.#book;
  }

  /** Records the tokens of a delivery. */
  readonly watch: Around<BodyStream> = async (call, next) => {
    const answer = await next();
    if (call.impressions > 0) {
      this.tokens = [...this.tokens.slice(-MAX_TOKENS), ...tokensIn(bodyOf(buffered(answer)))];
    }
    return answer;
  };

  #issued(): IssuedToken[] {
    return this.tokens.map((token) => {
      const { jti, sub, iat, exp } = readClaims(token) as ClickClaims;
      const expiresAt = exp * 1000;
      const used = this.#clicks.hadClick(jti);
      const state = used ? 'used' : this.#clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  }
}

/** The click tokens in the response to a delivery, single or batch. */
function tokensIn(delivered: unknown): string[] {
  return [delivered as { clickToken?: string }].flat().flatMap(({ clickToken }) => clickToken ?? []);
}
