import { type Around, buffered, type ClickClaims, type Clock, type MemoryStore, readClaims } from '@broadsheet/core';
import { jsonOf } from '../doors/answer.ts';

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
  readonly watchDelivery: Around;
  watchStore(store: MemoryStore): MemoryStore;
  save(): LedgerState;
  load(state: LedgerState): void;
}

/** Beyond this many tokens the older half is forgotten, here only: the store still knows what was used. */
const MAX_TOKENS = 10_000;

/** Opens an empty ledger. */
export function createTokenLedger(clock: Clock): TokenLedger {
  let claims = new Map<string, ClickClaims>();
  let used = new Set<string>();
  /** Whether a saved state holds the same lists: then they are copied before the next write, and only then. */
  let shared = false;
  const own = () => {
    if (!shared) return;
    claims = new Map(claims);
    used = new Set(used);
    shared = false;
  };
  const issued = (): IssuedToken[] =>
    [...claims].map(([token, { jti, sub, iat, exp }]) => {
      const expiresAt = exp * 1000;
      const state = used.has(jti) ? 'used' : clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  const inState = (state: IssuedToken['state']) => issued().filter((token) => token.state === state);
  return {
    book: {
      get issued() {
        return issued();
      },
      get valid() {
        return inState('valid');
      },
      get used() {
        return inState('used');
      },
      get expired() {
        return inState('expired');
      },
    },
    async watchDelivery(call, next) {
      const answer = await next();
      if (call.impressions === 0) return answer;
      for (const token of tokensIn(jsonOf(buffered(answer).body))) {
        own();
        claims.set(token, readClaims(token) as ClickClaims);
      }
      if (claims.size > MAX_TOKENS) claims = new Map([...claims].slice(-MAX_TOKENS / 2));
      return answer;
    },
    watchStore: (store) => ({
      ...store,
      recordClick(blogId, click) {
        const outcome = store.recordClick(blogId, click);
        if (outcome !== 'used') {
          own();
          used.add(click.tokenId);
        }
        return outcome;
      },
    }),
    save() {
      shared = true;
      return { claims, used };
    },
    load(state) {
      ({ claims, used } = state);
      shared = true;
    },
  };
}

/** The click tokens in the answer of a delivery, one or a batch. */
function tokensIn(delivered: unknown): string[] {
  return [delivered as { clickToken?: string }].flat().flatMap(({ clickToken }) => clickToken ?? []);
}
