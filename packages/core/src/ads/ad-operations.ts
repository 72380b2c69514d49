import { type AdDeliveryResult, type AdDeliverySlotResult, type AdFormat, LIMITS } from '@broadsheet/contract';
import { type Awaitable, isPromise } from '../awaitable.ts';
import type { Operations } from '../calls/operation.ts';
import { ApiError } from '../http/api-error.ts';
import { Encoded } from '../http/encoded.ts';
import type { Ports } from '../ports.ts';
import type { Blog, SlotDelivery } from '../store.ts';
import { createClickTokens } from './click-token.ts';
import { type Draw, startDraw } from './inventory.ts';
import type { InventoryCache } from './inventory-cache.ts';
import { originAllowed } from './origin.ts';
import { placementOf } from './placement.ts';
import { frameOf, unfilled } from './prepared-ad.ts';
import { visitorAddress } from './visitor.ts';

type AdOperations = Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;

/** Delivery of ads and the counting of clicks (api.md 4.5). */
export function adOperations(ports: Ports, inventories: InventoryCache): AdOperations {
  const { store, clock, random, hmac, fingerprint } = ports;
  const tokens = createClickTokens(hmac);

  /** The JSON of one result for each slot; every slot is counted before the answer leaves. */
  async function deliver(
    blog: Blog,
    slots: readonly { readonly format: AdFormat; readonly frame: string; readonly placement: string | undefined }[],
  ): Promise<{ readonly results: readonly string[]; readonly impressions: number }> {
    const now = Math.floor(clock.now());
    const tiers = (await inventories.of(blog)).at(now);
    const draws = new Map<AdFormat, Draw>();
    // One for all: a token is told from those beside it by its number.
    const delivery = random.uuid();
    const results: Awaitable<string>[] = [];
    const delivered: SlotDelivery[] = [];
    let impressions = 0;
    for (const { format, frame, placement } of slots) {
      const draw = draws.get(format) ?? startDraw(tiers.get(format), random);
      draws.set(format, draw);
      const drawn = draw();
      if (drawn) {
        const { ad } = drawn;
        // Nothing is awaited between two draws: requests that come together must not mix their chance.
        const token = tokens.issue(ad, blog.id, `${delivery}.${impressions}`, placement, now);
        const withToken = (clickToken: string) => drawn.result(clickToken, frame);
        results.push(isPromise(token) ? token.then(withToken) : withToken(token));
        impressions += 1;
        delivered.push({ adId: ad.id, placement });
      } else {
        results.push(unfilled(frame));
        if (placement !== undefined) delivered.push({ placement });
      }
    }
    const signed = await Promise.all(results);
    if (delivered.length > 0) await store.recordImpressions(blog.id, delivered, now);
    return { results: signed, impressions };
  }

  return {
    'ads.deliver': async ({ blog, params: { format } }) => {
      const { results, impressions } = await deliver(blog, [{ format, frame: '', placement: undefined }]);
      return { data: new Encoded<AdDeliveryResult>(results.join()), impressions };
    },
    'ads.deliverBatch': async ({ blog, body: { slots } }) => {
      const framed = slots.map((slot) => ({
        format: slot.format,
        frame: frameOf(slot),
        placement: placementOf(slot.slotId),
      }));
      const { results, impressions } = await deliver(blog, framed);
      return { data: new Encoded<AdDeliverySlotResult[]>(results.join(), '[', ']'), impressions };
    },
    'ads.click': async ({ blog, body: { clickToken }, ip, provenance }) => {
      if (!originAllowed(blog.domains, provenance)) {
        const from = provenance.origin ?? provenance.referer;
        const message = from
          ? `Clicks from ${JSON.stringify(from)} are not accepted: the blog allows ${blog.domains.join(', ')}.`
          : `A click must say its page by Origin or Referer: the blog allows ${blog.domains.join(', ')}.`;
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
      return { data: { status: 'ok' }, click };
    },
    'ads.impression': () => ({ data: { status: 'ok' } }),
  };
}
