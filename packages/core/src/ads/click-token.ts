import { LIMITS } from '@broadsheet/contract';
import { ApiError } from '../http/api-error.ts';
import type { Hmac } from '../ports.ts';
import type { Impression, Traffic } from '../store.ts';
import { dayOf } from './day.ts';
import { createJwt } from './jwt.ts';

/** The claims of a click token. Times are in seconds since the epoch. */
export interface ClickClaims {
  readonly purpose: 'ad-click';
  /** The ad. */
  readonly sub: string;
  readonly blog: string;
  readonly jti: string;
  /** The place on the page that the ad was delivered for; a single delivery has none. */
  readonly placement?: string | undefined;
  /** The campaign for which the ad was delivered, if it has one. */
  readonly campaign?: string | undefined;
  /** The traffic of the delivery, unless it is `valid`. */
  readonly traffic?: Traffic | undefined;
  /** The day under which the delivery was counted, unless it is that of `iat` in UTC. */
  readonly day?: string | undefined;
  readonly iat: number;
  readonly exp: number;
}

export type ClickTokens = ReturnType<typeof createClickTokens>;

/** Issues and reads click tokens, signed with an HMAC (api.md 3): each is valid for one click on one ad of one blog. */
export function createClickTokens(hmac: Hmac) {
  const jwt = createJwt(hmac);
  return {
    /** The claims of a token that was issued here, even if it has expired; `undefined` for every other string. */
    verify,
    /** Issues a token for one delivery of an ad; its id (`jti`) must be unique, and `now` is in milliseconds. */
    issue(delivery: Omit<ClickClaims, 'purpose' | 'iat' | 'exp'>, now: number): Promise<string> {
      const iat = Math.floor(now / 1000);
      const claims: ClickClaims = { purpose: 'ad-click', ...delivery, iat, exp: iat + LIMITS.clickTokenTtl };
      return jwt.sign(claims);
    },
    /**
     * Reads a token that a caller sent.
     *
     * @throws ApiError `CLICK_TOKEN_INVALID` for a token that was not issued here for this blog, `CLICK_TOKEN_EXPIRED`
     * after ten minutes, without leeway
     */
    async read(token: string, blog: string, now: number): Promise<ClickClaims> {
      const claims = await verify(token);
      if (claims?.blog !== blog) throw new ApiError('CLICK_TOKEN_INVALID');
      if (now >= claims.exp * 1000) throw new ApiError('CLICK_TOKEN_EXPIRED');
      return claims;
    },
  };

  async function verify(token: string): Promise<ClickClaims | undefined> {
    const claims = await jwt.verify(token);
    return isClickClaims(claims) ? claims : undefined;
  }
}

/** Under what the events of a token are counted. */
export const impressionOf = ({
  sub,
  campaign,
  placement,
  traffic,
  iat,
  day,
}: ClickClaims): Impression & { day: string } => ({
  ...{ adId: sub, campaignId: campaign, placement, traffic, day: day ?? dayOf(iat * 1000) },
});

function isClickClaims(value: unknown): value is ClickClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { purpose, sub, blog, jti, placement, campaign, traffic, day, iat, exp } = value as Record<
    keyof ClickClaims,
    unknown
  >;
  const ids = [sub, blog, jti].every((id) => typeof id === 'string' && id !== '');
  if (![placement, campaign, traffic, day].every((text) => text === undefined || typeof text === 'string'))
    return false;
  return purpose === 'ad-click' && ids && Number.isInteger(iat) && Number.isInteger(exp);
}
