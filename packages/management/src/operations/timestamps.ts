import { fromLocalTime, localTime } from '@broadsheet/core';
import { OperationError, type OperationProblem } from './operation-error.ts';

/** The time at which something is typed, and the time zone of the blog that it concerns; UTC by default. */
export interface BlogTime {
  readonly now: number;
  readonly timeZone?: string | undefined;
}

/** The first and the last time of a day. */
export const DAY_START = '00:00:00.000';
export const DAY_END = '23:59:59.999';

/**
 * Converts a date-time from user input to an ISO timestamp. A date without a time gets the given `time`; without an
 * offset, it is in the time zone of the blog.
 *
 * @throws OperationError
 */
export function readTimestamp(at: string, typed: string, time: string, timeZone?: string): string {
  const text = typed.trim();
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${time}` : text.replace(' ', 'T');
  const isLocal = !/[Zz]$|[+-]\d{2}:\d{2}$/.test(whole);
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?/.exec(whole)?.[1];
  const timestamp = Date.parse(isLocal ? `${whole}Z` : whole);
  // `Date.parse` reads February 30 as March 2.
  let message = `expected a date such as 2026-01-31, or a date-time such as 2026-01-31T09:00:00Z, received ${JSON.stringify(typed)}`;
  if (day && !Number.isNaN(timestamp) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) {
    const iso = new Date(isLocal ? fromLocalTime(whole, timeZone) : timestamp).toISOString();
    // In UTC, the last hours of 9999 may be in the year 10000, which would sort before all others as text.
    if (/^\d{4}-/.test(iso)) return iso;
    message = `expected a year from 0000 to 9999 in UTC, received ${JSON.stringify(typed)}`;
  }
  throw new OperationError([{ at, message }]);
}

const HOUR = 60 * 60 * 1000;

/**
 * Reads when something expires: days or hours from now, such as `90d` or `12h`, a date-time, or the end of a day;
 * `null` without one.
 *
 * @throws OperationError also for a time in the past
 */
export function readExpiry(at: string, typed: string | undefined, { now, timeZone }: BlogTime): string | null {
  if (typed === undefined) return null;
  const [, amount, unit] = /^(\d{1,4})([dh])$/.exec(typed.trim()) ?? [];
  const timestamp =
    amount === undefined
      ? readTimestamp(at, typed, DAY_END, timeZone)
      : new Date(now + Number(amount) * (unit === 'd' ? 24 * HOUR : HOUR)).toISOString();
  if (Date.parse(timestamp) > now) return timestamp;
  throw new OperationError([{ at, message: `expected a time in the future, such as 90d, received ${typed}` }]);
}

/** Reports a period that is over or reversed, naming the days as they were typed. */
export function neverRuns(
  what: 'ad' | 'campaign',
  { startsAt, endsAt }: { readonly startsAt: string | null; readonly endsAt: string | null },
  typed: { readonly startsAt?: string | null | undefined; readonly endsAt?: string | null | undefined },
  { now, timeZone }: BlogTime,
): OperationProblem[] {
  if (endsAt === null || (typed.startsAt === undefined && typed.endsAt === undefined)) return [];
  const shown = (at: string) => localTime(Date.parse(at), timeZone).slice(0, 16).replace('T', ' ');
  const end = typed.endsAt?.trim() || shown(endsAt);
  if (startsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    const start = typed.startsAt?.trim() || shown(startsAt);
    return [{ at: 'endsAt', message: `${end} is not after the start, ${start}; the ${what} would never run` }];
  }
  return Date.parse(endsAt) <= now ? [{ at: 'endsAt', message: `${end} is over; the ${what} would never run` }] : [];
}
