import { type AdDeliveryResult, type AdFormat, LIMITS } from '@broadsheet/contract';
import { clickClaims, readClickClaims } from './click-token.ts';
import { Failure } from './failure.ts';
import { type Draw, startDraw } from './inventory.ts';
import type { InventoryCache } from './inventory-cache.ts';
import type { Operations, Ports } from './operation.ts';
import { originAllowed } from './origin.ts';
import type { Blog } from './store.ts';
import { visitorAddress } from './visitor.ts';

type AdOperations = Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;

/** A place for an ad, and what its result says beside the ad. */
interface Slot<Frame> {
  readonly format: AdFormat;
  readonly frame: Frame;
}

interface Delivery<Frame> {
  readonly results: readonly (Frame & AdDeliveryResult)[];
  readonly impressions: number;
}

/** Delivery of ads and the counting of clicks (api.md 4.5). */
export function adOperations(ports: Ports, inventories: InventoryCache): AdOperations {
  const { store, clock, random, tokens, fingerprint } = ports;

  /** One result for each slot, with what frames it; every ad that is handed out is counted before the answer leaves. */
  async function deliver<Frame extends object>(blog: Blog, slots: readonly Slot<Frame>[]): Promise<Delivery<Frame>> {
    const now = Math.floor(clock.now());
    const tiers = (await inventories.of(blog)).at(now);
    const draws = new Map<AdFormat, Draw>();
    const results: (Frame & AdDeliveryResult)[] = [];
    const delivered: string[] = [];
    for (const { format, frame } of slots) {
      const draw = draws.get(format) ?? startDraw(tiers.get(format), random);
      draws.set(format, draw);
      const ad = draw();
      if (ad) {
        const { id, imageUrl, linkUrl, title, content, linkText } = ad;
        const token = tokens.sign(clickClaims(blog.id, id, random.uuid(), now));
        const clickToken = typeof token === 'string' ? token : await token;
        results.push({ ...frame, filled: true, id, imageUrl, linkUrl, title, content, linkText, clickToken });
        delivered.push(id);
      } else results.push({ ...frame, filled: false });
    }
    if (delivered.length > 0) await store.recordImpressions(blog.id, delivered, now);
    return { results, impressions: delivered.length };
  }

  return {
    'ads.deliver': async ({ blog, params: { format } }) => {
      const { results, impressions } = await deliver(blog, [{ format, frame: {} }]);
      return { data: results[0] ?? { filled: false }, impressions };
    },
    'ads.deliverBatch': async ({ blog, body: { slots } }) => {
      const framed = slots.map(({ slotId, format }) => ({ format, frame: { slotId, format } }));
      const { results, impressions } = await deliver(blog, framed);
      return { data: results, impressions };
    },
    'ads.click': async ({ blog, body: { clickToken }, ip, provenance }) => {
      if (!originAllowed(blog.domains, provenance)) {
        const from = provenance.origin ?? provenance.referer;
        const message = from
          ? `Clicks from ${JSON.stringify(from)} are not accepted: the blog allows ${blog.domains.join(', ')}.`
          : `A click must say its page by Origin or Referer: the blog allows ${blog.domains.join(', ')}.`;
        throw new Failure('ORIGIN_NOT_ALLOWED', { message });
      }
      const at = Math.floor(clock.now());
      const claims = readClickClaims(await tokens.verify(clickToken), blog.id, at);
      const address = visitorAddress(ip);
      const click = await store.recordClick(blog.id, {
        tokenId: claims.jti,
        tokenExpiresAt: claims.exp * 1000,
        adId: claims.sub,
        visitor: address === undefined ? undefined : fingerprint(address),
        at,
        repeatSince: at - LIMITS.clickDedupWindow + 1,
      });
      if (click === 'used') throw new Failure('CLICK_TOKEN_USED');
      return { data: { status: 'ok' }, click };
    },
    'ads.impression': () => ({ data: { status: 'ok' } }),
  };
}
