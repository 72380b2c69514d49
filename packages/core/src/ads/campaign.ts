import type { Campaign, Delivery } from '../store.ts';

/** What the ads of a campaign have brought. */
export interface CampaignProgress {
  readonly impressions: number;
  readonly clicks: number;
  /** Impressions of the day (UTC). */
  readonly today: number;
}

/** Deliveries of a blog by hour of the week (UTC), beginning with the hour that the epoch begins with. */
export type WeeklyTraffic = readonly number[];

/** Hours of a week, and those that {@link weeklyTraffic} looks back on. */
const WEEK = 7 * 24;
export const TRAFFIC_HOURS = 2 * WEEK;
const HOUR = 60 * 60 * 1000;

/** The hour of an instant, counted from the epoch. */
export const hourOf = (at: number): number => Math.floor(at / HOUR);

/**
 * Whether a campaign admits one more impression at an instant: it runs, neither its goal nor its daily cap is reached,
 * and with an even pace it is not ahead of the share of its time that has passed.
 *
 * @param traffic what an even pace goes by; time alone where there is no history
 */
export function admits(
  campaign: Campaign,
  progress: CampaignProgress,
  now: number,
  traffic?: WeeklyTraffic | undefined,
): boolean {
  const { startsAt, endsAt, goal, perDay, pace } = campaign;
  const from = startsAt === null ? Number.NEGATIVE_INFINITY : Date.parse(startsAt);
  const until = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt);
  if (now < from || now >= until) return false;
  if (perDay !== null && progress.today >= perDay) return false;
  // Without a beginning and an end there is no share of the time.
  const share = pace === 'even' && startsAt && endsAt ? shareOfTime({ from, until }, now, traffic) : 1;
  return (['impressions', 'clicks'] as const).every((what) => {
    const wanted = goal?.[what];
    return wanted === undefined || (progress[what] < wanted && progress[what] <= wanted * share);
  });
}

/** The share of a campaign's time that has passed, each hour weighted by the traffic of the blog. */
function shareOfTime(
  { from, until }: { readonly from: number; readonly until: number },
  now: number,
  traffic: WeeklyTraffic | undefined,
): number {
  const all = traffic ? trafficBetween(from, until, traffic) : 0;
  return traffic && all > 0 ? trafficBetween(from, now, traffic) / all : (now - from) / (until - from);
}

function trafficBetween(from: number, until: number, traffic: WeeklyTraffic): number {
  const weeks = Math.floor((until - from) / (WEEK * HOUR));
  let sum = weeks * traffic.reduce((total, deliveries) => total + deliveries, 0);
  const rest = from + weeks * WEEK * HOUR;
  for (let hour = hourOf(rest); hour * HOUR < until; hour += 1) {
    const covered = Math.min(until, (hour + 1) * HOUR) - Math.max(rest, hour * HOUR);
    sum += (traffic[hour % WEEK] ?? 0) * (covered / HOUR);
  }
  return sum;
}

/**
 * The traffic of a week, by the deliveries of the last {@link TRAFFIC_HOURS} whole hours; `undefined` until a whole week
 * of them is known.
 *
 * @param deliveries pairs of an hour, counted from the epoch, and the deliveries in it
 */
export function weeklyTraffic(
  deliveries: Iterable<readonly [hour: number, deliveries: number]>,
  now: number,
): WeeklyTraffic | undefined {
  const current = hourOf(now);
  const known = [...deliveries].filter(([hour]) => hour < current && hour >= current - TRAFFIC_HOURS);
  if (!known.some(([hour]) => hour <= current - WEEK)) return undefined;
  const traffic = Array<number>(WEEK).fill(0);
  for (const [hour, count] of known) traffic[hour % WEEK] = (traffic[hour % WEEK] ?? 0) + count;
  return traffic;
}

/**
 * The ad of each slot: the first of its candidates that is admitted; `undefined` for one that stays empty. No ad of a
 * delivery with campaigns is used twice.
 *
 * @param admit asked once for each ad of a campaign; it counts those it admits
 */
export function fillSlots(
  { slots, campaigns }: Delivery,
  admit: (campaignId: string) => boolean,
): (string | undefined)[] {
  if (!campaigns) return slots.map(({ candidates }) => candidates[0]);
  const tried = new Set<string>();
  return slots.map(({ candidates }) =>
    candidates.find((adId) => {
      if (tried.has(adId)) return false;
      tried.add(adId);
      const campaignId = campaigns.get(adId);
      return campaignId === undefined || admit(campaignId);
    }),
  );
}
