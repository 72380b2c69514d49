import type { AdFormat } from '@broadsheet/contract';
import { type DeliverySlot, dayOf, type Traffic } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days with figures: a month, and the month before for comparison. */
const DAYS = 65;

/**
 * A slot of the demo: how often per day it requests an ad, the share of requests that are filled, and the shares of its
 * impressions that are viewable and clicked.
 */
interface DemoSlot extends Readonly<Record<'requests' | 'fill' | 'viewable' | 'ctr', number>> {
  readonly placement: string;
  readonly format: AdFormat;
}

const SLOTS: readonly DemoSlot[] = [
  { placement: 'leaderboard', format: 'BANNER', requests: 170, fill: 1, viewable: 0.71, ctr: 0.004 },
  { placement: 'foot', format: 'BANNER', requests: 90, fill: 0.98, viewable: 0.71, ctr: 0.004 },
  { placement: 'rail', format: 'SIDEBAR', requests: 150, fill: 1, viewable: 0.62, ctr: 0.006 },
  { placement: 'listing-rail', format: 'SIDEBAR', requests: 60, fill: 0.96, viewable: 0.62, ctr: 0.006 },
  { placement: 'river', format: 'INLINE', requests: 120, fill: 0.99, viewable: 0.66, ctr: 0.012 },
  { placement: 'in-text', format: 'INLINE', requests: 100, fill: 0.93, viewable: 0.66, ctr: 0.012 },
  { placement: 'among-stories', format: 'NATIVE', requests: 120, fill: 0.97, viewable: 0.74, ctr: 0.019 },
  { placement: 'listing-native', format: 'NATIVE', requests: 45, fill: 0.88, viewable: 0.74, ctr: 0.019 },
  { placement: 'corner', format: 'POPUP', requests: 65, fill: 0.72, viewable: 0.93, ctr: 0.024 },
];

/** The relative traffic of each weekday from Sunday on: a magazine is read at work. */
const WEEK = [0.78, 1.06, 1.12, 1.1, 1.08, 1, 0.7];

/** The order in which the ads of a format are delivered, the first one most often. */
const ROTA = [0, 1, 0, 2, 3, 1];

/** The share of requests that do not come from readers. */
const EXCLUDED: Readonly<Partial<Record<Traffic, number>>> = { bot: 0.03, prefetch: 0.01, foreign: 0.004 };

/** The relative traffic of each hour of a day, from midnight on. */
const HOURS = [1, 1, 0, 0, 0, 1, 2, 4, 7, 8, 7, 6, 7, 7, 6, 6, 6, 7, 8, 9, 9, 8, 5, 3];
const HOURS_SUM = HOURS.reduce((sum, weight) => sum + weight, 0);
/** The days of which each hour has its own figures. */
const HOURLY = 8;

/**
 * Writes made-up figures of a small magazine for two months until now. They are the same at every start. Paused ads ran
 * until two weeks ago.
 */
export async function writeSampleFigures(store: SqlStore, blogId: string, now: number): Promise<void> {
  const [ads, campaigns] = [await store.listAllAds(blogId), await store.listCampaigns(blogId)];
  const startOf = new Map(campaigns.map(({ id, startsAt }) => [id, Date.parse(startsAt ?? '1970-01-01')]));
  // In parallel, because concurrent writes share commits.
  const written: Promise<unknown>[] = [];
  for (let ago = DAYS; ago >= 0; ago--) {
    for (const { at, share } of timesOf(now, ago)) {
      for (const slot of SLOTS) {
        const running = ads
          .filter(({ format, startsAt, active }) => format === slot.format && startsAt === null && (active || ago > 14))
          .filter(({ campaignId = '' }) => (startOf.get(campaignId) ?? 0) <= at);
        const requests = Math.round(requestsOn(slot, ago, at) * share);
        const chosen = Array.from({ length: requests }, (_, index) =>
          index < requests * slot.fill ? running[(ROTA[index % ROTA.length] ?? 0) % running.length] : undefined,
        );
        // A delivery uses each ad of a campaign once, so each of these is a delivery of its own.
        const [sold, free] = [chosen.filter((ad) => ad?.campaignId), chosen.filter((ad) => !ad?.campaignId)];
        written.push(deliver(store, blogId, { at, slot, ads: free.map((ad) => ad?.id) }));
        for (const [index, ad] of sold.entries()) {
          const campaign = ad?.campaignId;
          written.push(deliver(store, blogId, { at: at + index, slot, ads: [ad?.id], campaign }));
        }
      }
    }
  }
  await Promise.all(written);
}

interface Group {
  readonly at: number;
  readonly slot: DemoSlot;
  /** The ad of each request; `undefined` for one that stays empty. */
  readonly ads: readonly (string | undefined)[];
  readonly campaign?: string | undefined;
}

/** Delivers ads to the slots of one placement, reports some of them as viewable, and clicks some. */
async function deliver(store: SqlStore, blogId: string, { at, slot, ads, campaign }: Group): Promise<void> {
  const { placement } = slot;
  const slots = ads.map((id): DeliverySlot => ({ placement, candidates: id === undefined ? [] : [id] }));
  const campaigns =
    campaign === undefined ? undefined : new Map(ads.map((id = ''): [string, string] => [id, campaign]));
  let from = 0;
  for (const [traffic, share] of Object.entries(EXCLUDED) as [Traffic, number][]) {
    const count = Math.max(0, Math.round(slots.length * share + noise(at + from) * 0.5));
    if (count > 0) await store.deliver(blogId, { slots: slots.slice(from, from + count), campaigns, traffic }, at);
    from += count;
  }
  const { adIds } = await store.deliver(blogId, { slots: slots.slice(from), campaigns }, at);
  const tokens = adIds.flatMap((adId, index) => {
    if (adId === undefined) return [];
    const token = {
      tokenId: `sample-${at}-${placement}-${index}`,
      tokenExpiresAt: at,
      placement,
      campaignId: campaign,
    };
    return [{ ...token, adId, chance: (noise(at / 1000 + index * 7) + 1) / 2 }];
  });
  const viewable = tokens.filter(({ chance }) => chance < slot.viewable);
  const reported = viewable.map(({ chance: _, ...token }) => ({ ...token, day: dayOf(at) }));
  if (reported.length > 0) await store.recordViewable(blogId, reported);
  for (const { chance, ...token } of tokens) {
    if (chance < slot.ctr) await store.recordClick(blogId, { ...token, visitor: undefined, repeatSince: at, at });
  }
}

/** The times of a day that have figures, with their shares of the day. */
function timesOf(now: number, ago: number): readonly { readonly at: number; readonly share: number }[] {
  const midnight = Math.floor(now / DAY) * DAY - ago * DAY;
  if (ago > HOURLY) return [{ at: midnight + DAY / 2, share: 1 }];
  return HOURS.map((weight, hour) => {
    const begins = midnight + hour * HOUR;
    const past = Math.max(0, Math.min(1, (now - begins) / HOUR));
    return { at: begins + (past * HOUR) / 2, share: (weight * past) / HOURS_SUM };
  }).filter(({ share }) => share > 0);
}

/** Traffic grows every week, is lower at weekends and peaks with one popular story. */
function requestsOn({ requests }: DemoSlot, ago: number, at: number): number {
  const weekday = WEEK[new Date(at).getUTCDay()] ?? 1;
  const story = ago === 9 ? 1.7 : ago === 8 ? 1.35 : 1;
  return requests * weekday * story * (1.25 - ago * 0.006) * (1 + noise(ago + requests) * 0.12);
}

/** A seeded random number between -1 and 1. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return (x - Math.floor(x)) * 2 - 1;
}
