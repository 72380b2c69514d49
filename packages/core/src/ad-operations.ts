import { type AdDeliveryResult, type AdFormat, LIMITS } from '@broadsheet/contract';
import { clickClaims, readClickClaims } from './click-token.ts';
import { Failure } from './failure.ts';
import { drawAds } from './inventory.ts';
import type { InventoryCache } from './inventory-cache.ts';
import type { Operations, Ports } from './operation.ts';
import { originAllowed } from './origin.ts';
import type { Ad, Blog } from './store.ts';
import { visitorAddress } from './visitor.ts';

type AdOperations = Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;

/** Delivery of ads and the counting of clicks (api.md 4.5). */
export function adOperations(ports: Ports, inventories: InventoryCache): AdOperations {
  const { store, clock, random, tokens, fingerprint } = ports;

  /** One result per format asked for; every ad that is handed out is counted before the answer leaves. */
  async function deliver(blog: Blog, formats: readonly AdFormat[]): Promise<AdDeliveryResult[]> {
    const now = Math.floor(clock.now());
    const inventory = await inventories.of(blog);
    const demand = new Map<AdFormat, number>();
    for (const format of formats) demand.set(format, (demand.get(format) ?? 0) + 1);
    const drawn = new Map(
      [...demand].map(([format, count]) => [format, drawAds(inventory, format, count, now, random)]),
    );
    const ads = formats.map((format) => drawn.get(format)?.shift());
    const results = await Promise.all(ads.map((ad) => (ad ? fill(blog, ad, now) : { filled: false as const })));
    const ids = ads.flatMap((ad) => (ad ? [ad.id] : []));
    if (ids.length > 0) await store.recordImpressions(blog.id, ids, now);
    return results;
  }

  async function fill(blog: Blog, ad: Ad, now: number): Promise<AdDeliveryResult> {
    const { id, imageUrl, linkUrl, title, content, linkText } = ad;
    const clickToken = await tokens.sign(clickClaims(blog.id, id, random.uuid(), now));
    return { filled: true, id, imageUrl, linkUrl, title, content, linkText, clickToken };
  }

  return {
    'ads.deliver': async ({ blog, params: { format } }) => {
      const [data = { filled: false as const }] = await deliver(blog, [format]);
      return { data, impressions: Number(data.filled) };
    },
    'ads.deliverBatch': async ({ blog, body: { slots } }) => {
      const results = await deliver(
        blog,
        slots.map(({ format }) => format),
      );
      const data = slots.map(({ slotId, format }, index) => ({
        slotId,
        format,
        ...(results[index] ?? { filled: false as const }),
      }));
      return { data, impressions: results.filter(({ filled }) => filled).length };
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
