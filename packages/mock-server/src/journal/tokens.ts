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

/** The click tokens of a world, all and by their state, oldest first. */
export type IssuedTokens = { readonly [State in 'issued' | IssuedToken['state']]: readonly IssuedToken[] };

/** Beyond twice as many tokens the oldest are forgotten; the store still knows which were used. */
const MAX_TOKENS = 10_000;

/** Adds the tokens in the response to a delivery, single or batch. */
export function addTokens(tokens: string[], response: WorldResponse): void {
  for (const { clickToken } of [bodyOf(response) as { clickToken?: string }].flat()) {
    if (clickToken !== undefined) tokens.push(clickToken);
  }
  if (tokens.length > 2 * MAX_TOKENS) tokens.splice(0, tokens.length - MAX_TOKENS);
}

/** Groups tokens by their state; `hadClick` says whether the token with an id was used. */
export function tokensByState(
  tokens: readonly string[],
  clock: Clock,
  hadClick: (id: string) => boolean,
): IssuedTokens {
  const issued = () =>
    tokens.map((token): IssuedToken => {
      const { jti, sub, iat, exp } = readClaims(token) as ClickClaims;
      const expiresAt = exp * 1000;
      const state = hadClick(jti) ? 'used' : clock.now() >= expiresAt ? 'expired' : 'valid';
      return { token, id: jti, adId: sub, issuedAt: iat * 1000, expiresAt, state };
    });
  const inState = (wanted: IssuedToken['state']) => () => issued().filter(({ state }) => state === wanted);
  return computed({ issued, valid: inState('valid'), used: inState('used'), expired: inState('expired') });
}
