import { LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operate.ts';
import { ApiError } from '../http/api-error.ts';
import type { Ports } from '../ports.ts';
import type { ClickOutcome } from '../store.ts';
import { type ClickTokens, impressionOf } from './click-token.ts';
import { originAllowed } from './origin.ts';
import { visitorAddress } from './visitor.ts';

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
