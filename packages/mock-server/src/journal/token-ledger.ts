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

/** Watches tokens come and go. */
export interface TokenLedger {
  book(): TokenBook;
  /** Writes down the tokens of a delivery, and the one that a click used up. */
  readonly watch: Around<BodyStream>;
  save(): LedgerState;
  load(state: LedgerState): void;
}

/** Beyond about this many tokens the oldest are forgotten, here only: the store still knows what was used. */
const MAX_TOKENS = 10_000;

const STATES = ['issued', 'valid', 'used', 'expired'] as const;

/** Opens an empty ledger. */
export function createTokenLedger(clock: Clock): TokenLedger {
  let tokens: readonly string[] = [];
  let used: readonly string[] = [];
  const issued = (): IssuedToken[] =>
    tokens.map((token) => {
      const { jti, sub, iat, exp } = claimsOf(token);
      const expiresAt = exp * 1000;
      const state = used.includes(jti) ? 'used' : clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  let book: TokenBook | undefined;
  return {
    book() {
      book ??= lists(STATES, (name) => issued().filter(({ state }) => name === 'issued' || state === name));
      return book;
    },
    async watch(call, next) {
      const answer = await next();
      if (call.impressions > 0) tokens = [...tokens.slice(-MAX_TOKENS), ...tokensIn(jsonOf(buffered(answer)))];
      if (call.endpoint === 'ads.click' && call.click && call.click !== 'used') {
        used = [...used.slice(-MAX_TOKENS), claimsOf((await call.body()).value?.clickToken).jti];
      }
      return answer;
    },
    save: () => ({ tokens, used }),
    load(state) {
      ({ tokens, used } = state);
    },
  };
}

const claimsOf = (token = ''): ClickClaims => readClaims(token) as ClickClaims;

/** The click tokens in the answer of a delivery, one or a batch. */
function tokensIn(delivered: unknown): string[] {
  return [delivered as { clickToken?: string }].flat().flatMap(({ clickToken }) => clickToken ?? []);
}
