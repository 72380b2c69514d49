import { hourOf, type WeeklyTraffic } from './campaign.ts';
import { dayOf } from './day.ts';

const HOUR = 60 * 60 * 1000;
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
