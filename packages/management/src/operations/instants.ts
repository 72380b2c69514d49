import { OperationError } from './operation-error.ts';

/**
 * A date-time as it was typed, as an ISO instant. A date alone has the `time` given; what names no zone is UTC.
 *
 * @throws OperationError
 */
export function readInstant(at: string, typed: string, time: string): string {
  const text = typed.trim();
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${time}Z` : text.replace(' ', 'T');
  const zoned = /[Zz]$|[+-]\d{2}:\d{2}$/.test(whole) ? whole : `${whole}Z`;
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?/.exec(zoned)?.[1];
  const instant = Date.parse(zoned);
  // Of the 30th of February the engine makes the 2nd of March.
  let message = `expected a date-time such as 2026-01-31T09:00:00Z, or a date, received ${JSON.stringify(typed)}`;
  if (day && !Number.isNaN(instant) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) {
    const iso = new Date(instant).toISOString();
    // With its zone, an hour at the end of 9999 is in a year of five digits, which sorts before all others as text.
    if (/^\d{4}-/.test(iso)) return iso;
    message = `expected a year from 0000 to 9999 in UTC, received ${JSON.stringify(typed)}`;
  }
  throw new OperationError([{ at, message }]);
}
