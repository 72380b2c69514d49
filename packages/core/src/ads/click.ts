import { LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operations.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Hmac, Ports } from '../ports.ts';
import type { ClickOutcome, Traffic, ViewableImpression } from '../store.ts';
import { createTokens, type Tokens, type Validity } from '../tokens.ts';
import { dayOf } from './day.ts';
import { isExcluded, originAllowed, visitorAddress } from './traffic.ts';

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
function eventOf(claims: ClickClaims): ViewableImpression {
  const { sub, campaign, placement, traffic, jti, iat, exp, day = dayOf(iat * 1000) } = claims;
  return { tokenId: jti, tokenExpiresAt: exp * 1000, adId: sub, campaignId: campaign, placement, traffic, day };
}

const utf8 = new TextDecoder();

/**
 * Counts the ads that a page reports as viewable, by the click tokens in the body of the request. Tokens of any blog
 * count, because a beacon has no headers for a key. Expired tokens, tokens of excluded traffic, and anything else that
 * was not issued here are ignored.
 */
export function createViewableCounter({ store, clock }: Pick<Ports, 'store' | 'clock'>, tokens: ClickTokens) {
  return async (request: ApiRequest): Promise<void> => {
    const now = Math.floor(clock.now());
    const blogs = new Map<string, ViewableImpression[]>();
    for (const token of await readTokens(request)) {
      const claims = await tokens.verify(token);
      if (!claims || isExcluded(claims) || now >= claims.exp * 1000) continue;
      const impressions = blogs.get(claims.blog) ?? [];
      blogs.set(claims.blog, impressions);
      impressions.push(eventOf(claims));
    }
    for (const [blogId, impressions] of blogs) await store.recordViewable(blogId, impressions);
  };
}

/**
 * The tokens of a request, one per line. The lines of a JSON array are accepted too: whatever cannot be part of a token
 * separates them. A body with more tokens than a delivery has slots, or above the limit of all bodies, has none.
 */
export async function readTokens(request: ApiRequest): Promise<string[]> {
  const tokens = utf8
    .decode(await request.body(LIMITS.body))
    .split(/[^\w.-]+/)
    .filter(Boolean);
  return tokens.length > LIMITS.slots.max ? [] : tokens;
}
