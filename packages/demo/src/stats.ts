import type { ServerStore } from '@broadsheet/store';
import type { AdCount } from './ad-count.ts';

/** What each ad of the blog earned since the day of an instant, in the order of formats as the store lists them. */
export async function countAds(store: ServerStore, blogId: string, now: number, since: number): Promise<AdCount[]> {
  const [ads, days] = await Promise.all([store.listAllAds(blogId), store.countsByDay(blogId)]);
  const earned = new Map<string, { impressions: number; clicks: number }>();
  const first = new Date(since).toISOString().slice(0, 10);
  for (const { day, adId, impressions, clicks } of days) {
    if (day < first) continue;
    const before = earned.get(adId) ?? { impressions: 0, clicks: 0 };
    earned.set(adId, { impressions: before.impressions + impressions, clicks: before.clicks + clicks });
  }
  const counts = ads.map(({ id, format, title, active, startsAt, endsAt }) => ({
    id,
    format,
    title: title ?? id,
    active: active && began(startsAt, now) && !ended(endsAt, now),
    ...(earned.get(id) ?? { impressions: 0, clicks: 0 }),
  }));
  // Those that can be seen come first.
  return counts.sort((a, b) => Number(b.active) - Number(a.active) || a.format.localeCompare(b.format));
}

const ended = (endsAt: string | null, now: number): boolean => endsAt !== null && Date.parse(endsAt) <= now;
const began = (startsAt: string | null, now: number): boolean => startsAt === null || Date.parse(startsAt) <= now;
