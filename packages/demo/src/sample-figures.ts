import type { AdFormat } from '@broadsheet/contract';
import type { SlotDelivery } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';

const DAY = 86_400_000;
/** Days with figures: a month, and the one it is compared with. */
const DAYS = 65;

/** A slot of the demo's pages: how often a day it asks for an ad, and how often it gets one. */
interface Slot {
  readonly placement: string;
  readonly format: AdFormat;
  readonly asked: number;
  readonly fill: number;
}

const SLOTS: readonly Slot[] = [
  { placement: 'leaderboard', format: 'BANNER', asked: 420, fill: 1 },
  { placement: 'foot', format: 'BANNER', asked: 230, fill: 0.98 },
  { placement: 'rail', format: 'SIDEBAR', asked: 380, fill: 1 },
  { placement: 'listing-rail', format: 'SIDEBAR', asked: 140, fill: 0.96 },
  { placement: 'river', format: 'INLINE', asked: 310, fill: 0.99 },
  { placement: 'in-text', format: 'INLINE', asked: 260, fill: 0.93 },
  { placement: 'among-stories', format: 'NATIVE', asked: 300, fill: 0.97 },
  { placement: 'listing-native', format: 'NATIVE', asked: 110, fill: 0.88 },
  { placement: 'corner', format: 'POPUP', asked: 160, fill: 0.72 },
];

/** Clicks by impressions. */
const CTR: Readonly<Record<AdFormat, number>> = {
  BANNER: 0.004,
  SIDEBAR: 0.006,
  INLINE: 0.012,
  NATIVE: 0.019,
  POPUP: 0.024,
};

/** What a weekday brings, from Sunday on: a magazine is read at work. */
const WEEK = [0.78, 1.06, 1.12, 1.1, 1.08, 1, 0.7];

/**
 * Writes figures of the two months that end yesterday, as a small magazine has them: made up, and the same at every
 * start. Ads that are paused ran until two weeks ago.
 */
export async function writeSampleFigures(store: ServerStore, blogId: string, now: number): Promise<void> {
  const ads = await store.listAllAds(blogId);
  // All at once: what is written together shares commits.
  const written: unknown[] = [];
  for (let ago = DAYS; ago >= 1; ago--) {
    const at = now - ago * DAY;
    for (const slot of SLOTS) {
      const { placement, format } = slot;
      const running = ads.filter((ad) => ad.format === format && ad.startsAt === null && (ad.active || ago > 14));
      const asked = Math.round(askedOn(slot, ago, at));
      const shares = running.map((_, index) =>
        Math.floor((asked * slot.fill * weightOf(index)) / weights(running.length)),
      );
      const slots = Array<SlotDelivery>(asked).fill({ placement });
      let next = 0;
      for (const [index, { id: adId }] of running.entries()) {
        const delivered = shares[index] ?? 0;
        slots.fill({ adId, placement }, next, next + delivered);
        next += delivered;
        const clicked = delivered * CTR[format] * (1.5 - index * 0.3) + noise(ago * 31 + index + asked) * 0.5;
        for (let click = 0; click < Math.round(clicked); click++) {
          const tokenId = `sample-${ago}-${placement}-${index}-${click}`;
          const token = { tokenId, tokenExpiresAt: at, adId, placement, visitor: undefined, repeatSince: at };
          written.push(store.recordClick(blogId, { ...token, at }));
        }
      }
      written.push(store.recordImpressions(blogId, slots, at));
    }
  }
  await Promise.all(written);
}

/** More every week, less at its end, and one story that everybody read. */
function askedOn({ asked }: Slot, ago: number, at: number): number {
  const weekday = WEEK[new Date(at).getUTCDay()] ?? 1;
  const story = ago === 9 ? 1.7 : ago === 8 ? 1.35 : 1;
  return asked * weekday * story * (1.25 - ago * 0.006) * (1 + noise(ago + asked) * 0.12);
}

/** The first of several ads is delivered most. */
const weightOf = (index: number): number => 1 / (index + 1.5);
const weights = (count: number): number =>
  Array.from({ length: count }, (_, index) => weightOf(index)).reduce((a, b) => a + b, 0);

/** Between -1 and 1, and the same for the same seed. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return (x - Math.floor(x)) * 2 - 1;
}
