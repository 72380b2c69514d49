import { type AdDeliveryResult, type AdFormat, LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operation.ts';
import { ApiError } from '../http/api-error.ts';
import type { Ports } from '../ports.ts';
import type { Ad, Blog, ClickOutcome } from '../store.ts';
import { type ClickTokens, createClickTokens } from './click-token.ts';
import { createPicker, type PickAd } from './inventory.ts';
import type { InventoryCache } from './inventory-cache.ts';
import { originAllowed } from './origin.ts';
import { placementOf } from './placement.ts';
import { visitorAddress } from './visitor.ts';

type AdOperations = Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;

interface Slot {
  readonly format: AdFormat;
  readonly placement?: string | undefined;
}

/** Results of a delivery, one for each slot. */
interface Delivery {
  readonly results: readonly AdDeliveryResult[];
  readonly impressions: number;
}

/** Delivery of ads and the counting of clicks (api.md 4.5). */
export function adOperations(ports: Ports, inventories: InventoryCache): AdOperations {
  const tokens = createClickTokens(ports.hmac);
  const deliver = createDelivery(ports, inventories, tokens);
  return {
    'ads.deliver': async ({ blog, params: { format } }) => {
      const { results, impressions } = await deliver(blog, [{ format }]);
      return { data: results[0] ?? UNFILLED, impressions };
    },
    'ads.deliverBatch': async ({ blog, body: { slots } }) => {
      const wanted = slots.map(({ slotId, format }) => ({ format, placement: placementOf(slotId) }));
      const { results, impressions } = await deliver(blog, wanted);
      const data = slots.map(({ slotId, format }, index) => ({ slotId, format, ...(results[index] ?? UNFILLED) }));
      return { data, impressions };
    },
    'ads.click': async (input) => ({ data: { status: 'ok' }, click: await recordClick(ports, tokens, input) }),
    'ads.impression': () => ({ data: { status: 'ok' } }),
  };
}

const UNFILLED: AdDeliveryResult = { filled: false };

/** Fills slots with ads; every impression is recorded before the results are returned. */
function createDelivery({ store, clock, random }: Ports, inventories: InventoryCache, tokens: ClickTokens) {
  return async (blog: Blog, slots: readonly Slot[]): Promise<Delivery> => {
    const now = Math.floor(clock.now());
    const tiers = (await inventories.of(blog)).at(now);
    const pickers = new Map<AdFormat, PickAd>();
    const deliveryId = random.uuid();
    // No awaits between two picks: simultaneous requests must not interleave their random numbers.
    const picks = slots.map(({ format, placement }) => {
      const pick = pickers.get(format) ?? createPicker(tiers.get(format), random);
      pickers.set(format, pick);
      return { ad: pick(), placement };
    });
    const clickTokens = await Promise.all(
      picks.map(({ ad, placement }, index) => {
        const jti = `${deliveryId}.${index}`;
        return ad && tokens.issue({ sub: ad.id, blog: blog.id, jti, placement }, now);
      }),
    );
    const counted = picks.filter(({ ad, placement }) => ad || placement !== undefined);
    if (counted.length > 0) {
      const deliveries = counted.map(({ ad, placement }) => ({ adId: ad?.id, placement }));
      await store.recordImpressions(blog.id, deliveries, now);
    }
    return {
      results: picks.map(({ ad }, index) => toResult(ad, clickTokens[index])),
      impressions: picks.filter(({ ad }) => ad).length,
    };
  };
}

function toResult(ad: Ad | undefined, clickToken: string | undefined): AdDeliveryResult {
  if (!ad || clickToken === undefined) return UNFILLED;
  const { id, imageUrl, linkUrl, title, content, linkText } = ad;
  return { filled: true, id, imageUrl, linkUrl, title, content, linkText, clickToken };
}

/** Checks a click and counts it once; by the rules of api.md 4.5, in their order. */
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
    adId: claims.sub,
    placement: claims.placement,
    visitor: address === undefined ? undefined : fingerprint(address),
    at,
    repeatSince: at - LIMITS.clickDedupWindow + 1,
  });
  if (click === 'used') throw new ApiError('CLICK_TOKEN_USED');
  return click;
}
