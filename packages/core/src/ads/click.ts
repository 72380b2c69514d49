import { LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operations.ts';
import { ApiError } from '../http/api-error.ts';
import type { Hmac, Ports } from '../ports.ts';
import type { ClickOutcome, Traffic, ViewableImpression } from '../store.ts';
import { createTokens, type Tokens, type Validity } from '../tokens.ts';
import { dayOf } from './day.ts';
import { originAllowed, visitorAddress } from './traffic.ts';

/** The claims of a click token. */
export interface ClickClaims extends Validity {
  /** The ad. */
  readonly sub: string;
  readonly blog: string;
  /** Unique for each delivery of an ad. */
  readonly jti: string;
  /** The place on the page that the ad was delivered for; a single delivery has none. */
  readonly placement?: string | undefined;
  /** The campaign for which the ad was delivered, if it has one. */
  readonly campaign?: string | undefined;
  /** The traffic of the delivery, unless it is `valid`. */
  readonly traffic?: Traffic | undefined;
  /** The day under which the delivery was counted, unless it is that of `iat` in UTC. */
  readonly day?: string | undefined;
}

export type ClickTokens = Tokens<ClickClaims>;

/** Click tokens: each is valid for one click on one ad of one blog, for ten minutes. */
export const createClickTokens = (hmac: Hmac): ClickTokens =>
  createTokens(hmac, {
    purpose: 'ad-click',
    ttl: LIMITS.clickTokenTtl,
    required: ['sub', 'blog', 'jti'],
    optional: ['placement', 'campaign', 'traffic', 'day'],
  });

/** Counts clicks (api.md 4.5). */
export const clickOperations = (
  ports: Ports,
  tokens: ClickTokens,
): Pick<Operations, 'ads.click' | 'ads.impression'> => ({
  'ads.click': async (input) => ({ data: { status: 'ok' }, click: await recordClick(ports, tokens, input) }),
  'ads.impression': async () => ({ data: { status: 'ok' } }),
});

/** Checks a click by the rules of api.md 4.5, in their order, and counts it once. */
async function recordClick(
  { store, clock, fingerprint }: Ports,
  tokens: ClickTokens,
  { blog, body: { clickToken }, ip, provenance }: OperationInput<'ads.click'>,
): Promise<ClickOutcome> {
  if (!originAllowed(blog.domains, provenance)) {
    const from = provenance.origin ?? provenance.referer;
    const message = from
      ? `Clicks from ${JSON.stringify(from)} are not accepted: the blog allows ${blog.domains.join(', ')}.`
      : `Missing Origin or Referer header. Clicks are accepted from: ${blog.domains.join(', ')}.`;
    throw new ApiError('ORIGIN_NOT_ALLOWED', { message });
  }
  const at = Math.floor(clock.now());
  const claims = await readClickToken(tokens, clickToken, { blogId: blog.id, at });
  const address = visitorAddress(ip);
  const click = await store.recordClick(blog.id, {
    ...eventOf(claims),
    visitor: address === undefined ? undefined : fingerprint(address),
    at,
    repeatSince: at - LIMITS.clickDedupWindow + 1,
    timeZone: blog.timeZone,
  });
  if (click === 'used') throw new ApiError('CLICK_TOKEN_USED');
  return click;
}

/**
 * Reads a token that a caller sent.
 *
 * @throws ApiError `CLICK_TOKEN_INVALID` for a token that was not issued here for this blog, `CLICK_TOKEN_EXPIRED`
 * after ten minutes, without leeway
 */
export async function readClickToken(
  tokens: ClickTokens,
  token: string,
  { blogId, at }: { readonly blogId: string; readonly at: number },
): Promise<ClickClaims> {
  const claims = await tokens.verify(token);
  if (claims?.blog !== blogId) throw new ApiError('CLICK_TOKEN_INVALID');
  if (at >= claims.exp * 1000) throw new ApiError('CLICK_TOKEN_EXPIRED');
  return claims;
}

/** The event that a token reports. */
export function eventOf(claims: ClickClaims): ViewableImpression {
  const { sub, campaign, placement, traffic, jti, iat, exp, day = dayOf(iat * 1000) } = claims;
  return { tokenId: jti, tokenExpiresAt: exp * 1000, adId: sub, campaignId: campaign, placement, traffic, day };
}
