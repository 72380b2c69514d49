import { type Around, buffered, type ClickClaims, type Clock, readClaims } from '@broadsheet/core';
import { type BodyStream, jsonOf } from '../doors/answer.ts';

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
  readonly claims: Map<string, ClickClaims>;
  readonly used: Set<string>;
}

/** Watches tokens come and go. */
export interface TokenLedger {
  readonly book: TokenBook;
  /** Writes down the tokens of a delivery, and the one that a click used up. */
  readonly watch: Around<BodyStream>;
  save(): LedgerState;
  load(state: LedgerState): void;
}

/** Beyond this many tokens the older half is forgotten, here only: the store still knows what was used. */
const MAX_TOKENS = 10_000;

/** Opens an empty ledger. */
export function createTokenLedger(clock: Clock): TokenLedger {
  let claims = new Map<string, ClickClaims>();
  let used = new Set<string>();
  const issued = (): IssuedToken[] =>
    [...claims].map(([token, { jti, sub, iat, exp }]) => {
      const expiresAt = exp * 1000;
      const state = used.has(jti) ? 'used' : clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  const book = {} as TokenBook;
  for (const name of ['issued', 'valid', 'used', 'expired'] as const) {
    const get = () => issued().filter(({ state }) => name === 'issued' || state === name);
    Object.defineProperty(book, name, { enumerable: true, get });
  }
  return {
    book,
    async watch(call, next) {
      const answer = await next();
      if (call.impressions > 0) {
        for (const token of tokensIn(jsonOf(buffered(answer)))) {
          claims.set(token, readClaims(token) as ClickClaims);
        }
        if (claims.size > MAX_TOKENS) claims = new Map([...claims].slice(-MAX_TOKENS / 2));
      }
      if (call.endpoint === 'ads.click' && call.click && call.click !== 'used') {
        const { value } = await call.body();
        used.add((readClaims(value?.clickToken ?? '') as ClickClaims).jti);
      }
      return answer;
    },
    save: () => ({ claims: new Map(claims), used: new Set(used) }),
    load(state) {
      claims = new Map(state.claims);
      used = new Set(state.used);
    },
  };
}

/** The click tokens in the answer of a delivery, one or a batch. */
function tokensIn(delivered: unknown): string[] {
  return [delivered as { clickToken?: string }].flat().flatMap(({ clickToken }) => clickToken ?? []);
}
