import { dayOf, fromLocalTime, hourOf, TRAFFIC_HOURS } from '@broadsheet/core';
import type { Period } from './period.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24;

/** The requests for ads in each hour of a day, and in the same hours a week earlier. */
export type Hours = NonNullable<ReturnType<typeof hoursOf>>;

/**
 * The hours of a period of one day; `undefined` if its hours are no longer known.
 *
 * @param counted pairs of an hour and its requests, of the whole blog: nothing else is counted by hour
 */
export function hoursOf(
  { from, to }: Pick<Period, 'from' | 'to'>,
  counted: readonly (readonly [hour: number, requests: number])[],
  { now, timeZone }: { readonly now: number; readonly timeZone?: string | undefined },
) {
  // In some time zones, a day begins in the middle of an hour. That hour belongs to the day before.
  const first = Math.ceil(fromLocalTime(`${from}T00:00`, timeZone) / HOUR);
  if (from !== to || first - WEEK < hourOf(now) - TRAFFIC_HOURS) return undefined;
  const hours: number[] = [];
  for (let hour = first; dayOf(hour * HOUR, timeZone) === from; hour += 1) hours.push(hour);
  const requests = new Map(counted);
  const known = hours.filter((hour) => hour <= hourOf(now));
  return {
    /** When each hour starts, as a timestamp. */
    starts: hours.map((hour) => new Date(hour * HOUR).toISOString()),
    /** The requests of each hour, up to the current one. */
    requests: known.map((hour) => requests.get(hour) ?? 0),
    before: hours.map((hour) => requests.get(hour - WEEK) ?? 0),
    /** The index of the current hour; -1 on another day. */
    current: hours.indexOf(hourOf(now)),
  };
}
