import { LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operate.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Ports } from '../ports.ts';
import { type ClickOutcome, isExcluded, type ViewableImpression } from '../store.ts';
import { type ClickTokens, impressionOf } from './click-token.ts';
import { originAllowed, visitorAddress } from './traffic.ts';

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
  const claims = await tokens.read(clickToken, blog.id, at);
  const address = visitorAddress(ip);
  const click = await store.recordClick(blog.id, {
    tokenId: claims.jti,
    tokenExpiresAt: claims.exp * 1000,
    ...impressionOf(claims),
    visitor: address === undefined ? undefined : fingerprint(address),
    at,
    repeatSince: at - LIMITS.clickDedupWindow + 1,
    timeZone: blog.timeZone,
  });
  if (click === 'used') throw new ApiError('CLICK_TOKEN_USED');
  return click;
}

const utf8 = new TextDecoder();

/**
 * Counts the ads that a page reports as viewable, by the click tokens in the body of the request. Tokens of any blog
 * count, because a beacon has no headers for a key. An expired token, that of excluded traffic, and anything else that
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
      impressions.push({ tokenId: claims.jti, tokenExpiresAt: claims.exp * 1000, ...impressionOf(claims) });
    }
    for (const [blogId, impressions] of blogs) await store.recordViewable(blogId, impressions);
  };
}

/**
 * The tokens of a request, one per line. The lines of a JSON array are accepted too: whatever cannot be part of a token
 * separates them. A body with more tokens than a delivery has slots, or above the limit of all bodies, has none.
 */
export async function readTokens(request: ApiRequest): Promise<string[]> {
  const isTooLong = Number(request.header('content-length')) > LIMITS.body;
  const bytes = isTooLong ? undefined : await request.body(LIMITS.body);
  const tokens = utf8
    .decode(bytes)
    .split(/[^\w.-]+/)
    .filter(Boolean);
  return tokens.length > LIMITS.slots.max ? [] : tokens;
}
