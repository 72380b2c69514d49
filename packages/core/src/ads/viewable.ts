import { LIMITS } from '@broadsheet/contract';
import type { ApiRequest } from '../http/request.ts';
import type { Ports } from '../ports.ts';
import type { ViewableImpression } from '../store.ts';
import { type ClickTokens, eventOf } from './click.ts';
import { isExcluded } from './traffic.ts';

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
