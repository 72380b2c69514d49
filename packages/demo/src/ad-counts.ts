import { adState, type ServerStore } from '@broadsheet/management';
import type { AdCount } from './ad-count.ts';

/** The figures of each ad of the blog since the day of a timestamp: ads that can be delivered first, then by format. */
export async function countAds(store: ServerStore, blogId: string, now: number, since: number): Promise<AdCount[]> {
  const first = new Date(since).toISOString().slice(0, 10);
  const [ads, days] = await Promise.all([store.listAllAds(blogId), store.countsByDay(blogId)]);
  const counted = Map.groupBy(
    days.filter(({ day }) => day >= first),
    ({ adId }) => adId,
  );
  const counts = ads.map((ad) => {
    const own = counted.get(ad.id) ?? [];
    return {
      id: ad.id,
      format: ad.format,
      title: ad.title ?? ad.id,
      active: adState(ad, now) === 'running',
      impressions: own.reduce((sum, day) => sum + day.impressions, 0),
      clicks: own.reduce((sum, day) => sum + day.clicks, 0),
    };
  });
  return counts.sort((a, b) => Number(b.active) - Number(a.active) || a.format.localeCompare(b.format));
}
