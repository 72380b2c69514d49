import type { AdFormat } from '@broadsheet/contract';
import type { DeliverySlot } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';

const DAY = 86_400_000;
/** Days with figures: a month, and the month before for comparison. */
const DAYS = 65;

/** A slot of the demo: how often per day it requests an ad, and the share of requests that are filled. */
interface Slot {
  readonly placement: string;
  readonly format: AdFormat;
  readonly requests: number;
  readonly fill: number;
}

const SLOTS: readonly Slot[] = [
  { placement: 'leaderboard', format: 'BANNER', requests: 420, fill: 1 },
  { placement: 'foot', format: 'BANNER', requests: 230, fill: 0.98 },
  { placement: 'rail', format: 'SIDEBAR', requests: 380, fill: 1 },
  { placement: 'listing-rail', format: 'SIDEBAR', requests: 140, fill: 0.96 },
  { placement: 'river', format: 'INLINE', requests: 310, fill: 0.99 },
  { placement: 'in-text', format: 'INLINE', requests: 260, fill: 0.93 },
  { placement: 'among-stories', format: 'NATIVE', requests: 300, fill: 0.97 },
  { placement: 'listing-native', format: 'NATIVE', requests: 110, fill: 0.88 },
  { placement: 'corner', format: 'POPUP', requests: 160, fill: 0.72 },
];

/** Clicks per impression. */
const CTR: Readonly<Record<AdFormat, number>> = {
  BANNER: 0.004,
  SIDEBAR: 0.006,
  INLINE: 0.012,
  NATIVE: 0.019,
  POPUP: 0.024,
};

/** The relative traffic of each weekday from Sunday on: a magazine is read at work. */
const WEEK = [0.78, 1.06, 1.12, 1.1, 1.08, 1, 0.7];

/** The order in which the ads of a format are delivered, the first one most often. */
const ROTA = [0, 1, 0, 2, 0, 1];

/**
 * Writes made-up figures of a small magazine for the two months that end yesterday. They are the same at every start.
 * Paused ads ran until two weeks ago.
 */
export async function writeSampleFigures(store: ServerStore, blogId: string, now: number): Promise<void> {
  const ads = await store.listAllAds(blogId);
  // In parallel, because concurrent writes share commits.
  const written: unknown[] = [];
  for (let ago = DAYS; ago >= 1; ago--) {
    const at = now - ago * DAY;
    for (const slot of SLOTS) {
      const { placement, format } = slot;
      const running = ads.filter((ad) => ad.format === format && ad.startsAt === null && (ad.active || ago > 14));
      const requests = Math.round(requestsOn(slot, ago, at));
      const slots = Array.from({ length: requests }, (_, index): DeliverySlot => {
        const ad = running[(ROTA[index % ROTA.length] ?? 0) % running.length];
        return { placement, candidates: ad && index < requests * slot.fill ? [ad.id] : [] };
      });
      written.push(store.deliver(blogId, { slots }, at));
      for (const [index, { candidates }] of slots.entries()) {
        const [adId] = candidates;
        if (adId === undefined || noise(ago * requests + index) > 2 * CTR[format] - 1) continue;
        const tokenId = `sample-${ago}-${placement}-${index}`;
        const token = { tokenId, tokenExpiresAt: at, adId, placement, visitor: undefined, repeatSince: at };
        written.push(store.recordClick(blogId, { ...token, at }));
      }
    }
  }
  await Promise.all(written);
}

/** Traffic grows every week, is lower at weekends and peaks with one popular story. */
function requestsOn({ requests }: Slot, ago: number, at: number): number {
  const weekday = WEEK[new Date(at).getUTCDay()] ?? 1;
  const story = ago === 9 ? 1.7 : ago === 8 ? 1.35 : 1;
  return requests * weekday * story * (1.25 - ago * 0.006) * (1 + noise(ago + requests) * 0.12);
}

/** A seeded random number between -1 and 1. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return (x - Math.floor(x)) * 2 - 1;
}
