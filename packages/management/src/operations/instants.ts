import { OperationError, type OperationProblem } from './operation-error.ts';

/**
 * Converts a date-time from user input to an ISO timestamp. A date without a time gets the given `time`; without a
 * zone, it is in UTC.
 *
 * @throws OperationError
 */
export function readInstant(at: string, typed: string, time: string): string {
  const text = typed.trim();
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${time}Z` : text.replace(' ', 'T');
  const zoned = /[Zz]$|[+-]\d{2}:\d{2}$/.test(whole) ? whole : `${whole}Z`;
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?/.exec(zoned)?.[1];
  const instant = Date.parse(zoned);
  // `Date.parse` reads February 30 as March 2.
  let message = `expected a date-time such as 2026-01-31T09:00:00Z, or a date, received ${JSON.stringify(typed)}`;
  if (day && !Number.isNaN(instant) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) {
    const iso = new Date(instant).toISOString();
    // In UTC, the last hours of 9999 may be in the year 10000, which would sort before all others as text.
    if (/^\d{4}-/.test(iso)) return iso;
    message = `expected a year from 0000 to 9999 in UTC, received ${JSON.stringify(typed)}`;
  }
  throw new OperationError([{ at, message }]);
}

const HOUR = 60 * 60 * 1000;

/**
 * Reads when something expires: days or hours from now, such as `90d` or `12h`, a date-time, or the end of a day;
 * `null` if empty.
 *
 * @throws OperationError also for a time in the past
 */
export function readExpiry(at: string, typed: string | undefined, now: number): string | null {
  if (!typed?.trim()) return null;
  const [, amount, unit] = /^(\d{1,4})([dh])$/.exec(typed.trim()) ?? [];
  const instant =
    amount === undefined
      ? readInstant(at, typed, '23:59:59.999')
      : new Date(now + Number(amount) * (unit === 'd' ? 24 * HOUR : HOUR)).toISOString();
  if (Date.parse(instant) > now) return instant;
  throw new OperationError([{ at, message: `expected a time in the future, such as 90d, received ${typed}` }]);
}

/** Reports a period that is over or reversed, naming the days as they were typed. */
export function neverRuns(
  what: 'ad' | 'campaign',
  { startsAt, endsAt }: { readonly startsAt: string | null; readonly endsAt: string | null },
  typed: { readonly startsAt?: string | null | undefined; readonly endsAt?: string | null | undefined },
  now: number,
): OperationProblem[] {
  if (endsAt === null || (typed.startsAt === undefined && typed.endsAt === undefined)) return [];
  const end = typed.endsAt?.trim() || endsAt;
  if (startsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    const start = typed.startsAt?.trim() || startsAt;
    return [{ at: 'endsAt', message: `${end} is not after the start, ${start}; the ${what} would never run` }];
  }
  return Date.parse(endsAt) <= now ? [{ at: 'endsAt', message: `${end} is over; the ${what} would never run` }] : [];
}
