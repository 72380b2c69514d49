import { type Around, buffered, type ClickClaims, type Clock, readClaims } from '@broadsheet/core';
import { type BodyStream, jsonOf } from '../doors/answer.ts';
import { lists } from './journal.ts';

/**
 * A click token that a world gave out (api.md 3).
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

/** What the ledger knows, to be put aside. */
export interface LedgerState {
  readonly tokens: readonly string[];
  /** Ids of tokens that had their click. */
  readonly used: readonly string[];
}

/** Beyond about this many tokens the oldest are forgotten, here only: the store still knows what was used. */
const MAX_TOKENS = 10_000;

const STATES = ['issued', 'valid', 'used', 'expired'] as const;

/** Watches tokens come and go. */
export class TokenLedger {
  state: LedgerState = { tokens: [], used: [] };
  readonly #clock: Clock;
  #book: TokenBook | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get book(): TokenBook {
    this.#book ??= lists(STATES, (name) => this.#issued().filter(({ state }) => name === 'issued' || state === name));
    return this.#book;
  }

  /** Writes down the tokens of a delivery, and the one that a click used up. */
  readonly watch: Around<BodyStream> = async (call, next) => {
    const answer = await next();
    if (call.impressions > 0) this.#add('tokens', ...tokensIn(jsonOf(buffered(answer))));
    if (call.endpoint === 'ads.click' && call.click && call.click !== 'used') {
      this.#add('used', claimsOf((await call.body()).value?.clickToken).jti);
    }
    return answer;
  };

  #add(list: keyof LedgerState, ...items: readonly string[]): void {
    this.state = { ...this.state, [list]: [...this.state[list].slice(-MAX_TOKENS), ...items] };
  }

  #issued(): IssuedToken[] {
    return this.state.tokens.map((token) => {
      const { jti, sub, iat, exp } = claimsOf(token);
      const expiresAt = exp * 1000;
      const used = this.state.used.includes(jti);
      const state = used ? 'used' : this.#clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  }
}

const claimsOf = (token = ''): ClickClaims => readClaims(token) as ClickClaims;

/** The click tokens in the answer of a delivery, one or a batch. */
function tokensIn(delivered: unknown): string[] {
  return [delivered as { clickToken?: string }].flat().flatMap(({ clickToken }) => clickToken ?? []);
}
