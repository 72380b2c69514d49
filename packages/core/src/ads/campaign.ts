import type { Campaign } from '../store.ts';
import { dayOf, HOUR, hourOf } from './day.ts';

/** The deliveries of a campaign so far. */
export interface CampaignProgress {
  readonly impressions: number;
  readonly clicks: number;
  /** Impressions of the current day. */
  readonly today: number;
  /** By default, the plan begins with the campaign; see {@link planOf}. */
  readonly plan?: Plan | undefined;
}

/** The bounds of a campaign that an even pace follows. */
const PLANNED = ['startsAt', 'endsAt', 'goal', 'pace'] as const;

/** The time and the progress from which a campaign with these bounds is paced. */
export interface Plan extends Pick<Campaign, (typeof PLANNED)[number]> {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly impressions: number;
  readonly clicks: number;
}

/** A period, in milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

/** The period from a start to an end; without them, it is unlimited. */
export const periodOf = ({ startsAt, endsAt }: Pick<Campaign, 'startsAt' | 'endsAt'>): Period => ({
  from: startsAt === null ? Number.NEGATIVE_INFINITY : Date.parse(startsAt),
  until: endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt),
});

/** Mean deliveries of a blog by hour of the week (UTC); the first is Thursday from 0:00 to 1:00, as at the epoch. */
export type WeeklyTraffic = readonly number[];

/** In hours. */
const WEEK = 7 * 24;
/** The number of hours that {@link weeklyTraffic} looks back. */
export const TRAFFIC_HOURS = 2 * WEEK;

const isPaced = ({ endsAt, goal, pace }: Campaign): boolean => pace === 'even' && goal !== null && endsAt !== null;

/**
 * A campaign to write, with the start that an even pace needs: by default the stored start, or else the current time.
 */
export function withStart(campaign: Campaign, now: number, stored?: Campaign): Campaign {
  if (campaign.startsAt !== null || !isPaced(campaign) || periodOf(campaign).until <= now) return campaign;
  return { ...campaign, startsAt: stored?.startsAt ?? new Date(now).toISOString() };
}

/**
 * The plan of a campaign with an even pace: the known one, or a new one if one of its bounds was edited, so that what
 * was delivered before the edit does not count against it.
 *
 * @param known the plan of its last delivery
 */
export function planOf(
  campaign: Campaign,
  known: Plan | undefined,
  { impressions, clicks }: Pick<CampaignProgress, 'impressions' | 'clicks'>,
  now: number,
): Plan | undefined {
  if (!isPaced(campaign)) return undefined;
  const { startsAt, endsAt, goal, pace } = campaign;
  if (known && PLANNED.every((name) => JSON.stringify(known[name]) === JSON.stringify(campaign[name]))) return known;
  const isFirst = !known && impressions + clicks === 0 && startsAt !== null;
  const since = isFirst ? Date.parse(startsAt) : now;
  return { startsAt, endsAt, goal, pace, since, impressions, clicks };
}

/**
 * Whether a campaign admits one more impression at a given time: it is running and not paused, has reached neither its
 * goal nor its daily cap, and, if its pace is even, is not ahead of the elapsed share of the time of its plan.
 *
 * @param traffic weights the hours of an even pace; without it, all hours weigh the same
 */
export function admits(
  campaign: Campaign & Period,
  progress: CampaignProgress,
  now: number,
  traffic?: WeeklyTraffic | undefined,
): boolean {
  const { from, until, goal, perDay, paused } = campaign;
  if (paused || now < from || now >= until) return false;
  if (perDay !== null && progress.today >= perDay) return false;
  const { since, ...before } = progress.plan ?? { since: from, impressions: 0, clicks: 0 };
  // The elapsed share is defined only for a plan with both a start and an end.
  const share = isPaced(campaign) && Number.isFinite(since) ? shareOfTime({ from: since, until }, now, traffic) : 1;
  return (['impressions', 'clicks'] as const).every((what) => {
    const wanted = goal?.[what];
    if (wanted === undefined) return true;
    return progress[what] < wanted && progress[what] - before[what] <= (wanted - before[what]) * share;
  });
}

/**
 * How far a campaign is ahead of its plan, relative to what it should have delivered by now: -0.25 if a quarter of that is
 * missing. Without a goal, a start or an end it has no plan; without a plan, and before anything is due, it is 0.
 */
export function aheadOfPlan(
  { goal, from, until }: Campaign & Period,
  progress: Omit<CampaignProgress, 'today'>,
  now: number,
  traffic?: WeeklyTraffic | undefined,
): number {
  const counted = goal?.clicks === undefined ? 'impressions' : 'clicks';
  const wanted = goal?.[counted];
  const { since, ...before } = progress.plan ?? { since: from, impressions: 0, clicks: 0 };
  if (wanted === undefined || !Number.isFinite(until - since)) return 0;
  const due = (wanted - before[counted]) * shareOfTime({ from: since, until }, now, traffic);
  return due > 0 ? (progress[counted] - before[counted]) / due - 1 : 0;
}

/** How far a campaign is behind its plan: the missing share of what it should have delivered by now, from 0 to 1. */
export const behindPlan = (...of: Parameters<typeof aheadOfPlan>): number => Math.max(0, -aheadOfPlan(...of));

/** The elapsed share of a campaign's time, with each hour weighted by the traffic of the blog. */
function shareOfTime({ from, until }: Period, now: number, traffic: WeeklyTraffic | undefined): number {
  const all = traffic ? trafficBetween(from, until, traffic) : 0;
  return traffic && all > 0 ? trafficBetween(from, now, traffic) / all : (now - from) / (until - from);
}

function trafficBetween(from: number, until: number, traffic: WeeklyTraffic): number {
  const sums = sumsOf(traffic);
  const base = Math.floor(hourOf(from) / WEEK);
  // The deliveries of typical weeks from the beginning of the first one up to a time.
  const before = (time: number): number => {
    const hour = hourOf(time);
    const whole = (Math.floor(hour / WEEK) - base) * (sums[WEEK] ?? 0) + (sums[hour % WEEK] ?? 0);
    return whole + (traffic[hour % WEEK] ?? 0) * (time / HOUR - hour);
  };
  return before(until) - before(from);
}

const sums = new WeakMap<WeeklyTraffic, readonly number[]>();

/** The deliveries in the hours of a week before each hour; the last one is the whole week. They are added up once. */
function sumsOf(traffic: WeeklyTraffic): readonly number[] {
  const found = sums.get(traffic);
  if (found) return found;
  const added = [0];
  for (const deliveries of traffic) added.push((added.at(-1) ?? 0) + deliveries);
  sums.set(traffic, added);
  return added;
}

/**
 * The traffic of a week: the mean deliveries in each hour of the week, since the first delivery in the last
 * {@link TRAFFIC_HOURS} full hours. `undefined` until there is a full week of history.
 *
 * @param deliveries pairs of an hour (see `hourOf`) and the number of deliveries in it
 */
export function weeklyTraffic(
  deliveries: Iterable<readonly [hour: number, deliveries: number]>,
  now: number,
): WeeklyTraffic | undefined {
  const current = hourOf(now);
  const known = [...deliveries].filter(([hour]) => hour < current && hour >= current - TRAFFIC_HOURS);
  const first = known.reduce((least, [hour]) => Math.min(least, hour), current);
  if (first > current - WEEK) return undefined;
  const traffic = Array<number>(WEEK).fill(0);
  for (const [hour, count] of known) {
    const isSeenTwice = hour - WEEK >= first || hour + WEEK < current;
    traffic[hour % WEEK] = (traffic[hour % WEEK] ?? 0) + (isSeenTwice ? count / 2 : count);
  }
  return traffic;
}

/** No day has more than 25 hours. */
const HOURS_AROUND = 25;

/**
 * The share of a day's traffic that has usually arrived by this time of day, to the hour. If the usual traffic is not
 * known, it is the share of the day that has passed.
 */
export function shareOfDay(now: number, timeZone: string | undefined, traffic: WeeklyTraffic | undefined): number {
  const [today, current] = [dayOf(now, timeZone), hourOf(now)];
  const around = Array.from({ length: 2 * HOURS_AROUND }, (_, index) => current - HOURS_AROUND + index);
  const hours = around.filter((hour) => dayOf(hour * HOUR, timeZone) === today);
  const weightOf = (hour: number) => (traffic ? (traffic[hour % traffic.length] ?? 0) : 1);
  const sum = (of: (hour: number) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const all = sum(weightOf);
  if (all === 0) return shareOfDay(now, timeZone, undefined);
  return sum((hour) => weightOf(hour) * Math.min(1, Math.max(0, now / HOUR - hour))) / all;
}
