const written =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?)?$/i;

/**
 * Reads a date as authors write it (`2026-01-31 09:30`, `2026-01-31T09:30:00+02:00`, `2026/1/31`, `Jan 31 2026`) and
 * returns an ISO 8601 timestamp. Without a time zone, it returns a local time such as `2026-01-31T09:30:00.000`: only the
 * blog knows its time zone. Returns `undefined` for any other text, for days that do not exist and for years that do not
 * have four digits in UTC.
 */
export function readDate(text: string): string | undefined {
  const match = written.exec(inNumbers(text.trim()));
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  date.setUTCHours(hour, minute, second, milliseconds);
  const offset = (Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0)) * (match[9] === '-' ? 1 : -1);
  const timestamp = new Date(date.getTime() + offset * 60_000).toISOString();
  if (!/^\d{4}-/.test(timestamp)) return undefined;
  const isLocal = match[8] === undefined && match[9] === undefined;
  return isLocal ? timestamp.slice(0, -1) : timestamp;
}

/** A date of a source that writes every date in UTC, as a timestamp. */
export function readDateInUtc(text: string): string | undefined {
  const date = readDate(text);
  return date === undefined || date.endsWith('Z') ? date : `${date}Z`;
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];

const named =
  /^(?:[a-z]{3,9},? )?(?:([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?|(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?),? (\d{4})(?:,? (.*))?$/i;

/** A date with the English name of a month, such as `Jan 31, 2026` or `Sat, 31 Jan 2026 09:30:00 +0000`, in numbers. */
function inNumbers(text: string): string {
  const match = named.exec(text.replace(/\s+/g, ' '));
  if (!match) return text;
  const [, before, dayAfter, dayBefore, after, year, time] = match;
  const name = (before ?? after ?? '').toLowerCase();
  const month = MONTHS.findIndex((whole) => whole.startsWith(name));
  return month === -1 ? text : `${year}-${month + 1}-${dayAfter ?? dayBefore}${time ? ` ${time}` : ''}`;
}

/** Splits a date prefix (`2026-01-31-hello`, `2026_01_31_hello`) off a file name. */
export function splitDatePrefix(name: string): { readonly date: string | undefined; readonly rest: string } {
  const match = /^(\d{4})([-_.])(\d{2})\2(\d{2})(?:[-_. ]+|$)/.exec(name);
  const date = match ? readDate(`${match[1]}-${match[3]}-${match[4]}`) : undefined;
  const rest = date === undefined || !match ? '' : name.slice(match[0].length);
  return { date, rest: rest || name };
}
