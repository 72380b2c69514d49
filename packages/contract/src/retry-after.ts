/** The weekday of a date. The comma after it does not separate two headers. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$/i;
const SECONDS = /^\d+(?:\.\d+)?$/;
/** An HTTP date, or a timestamp, which some servers send. Without this check, `Date.parse('5, 5')` is in May 2001. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)|\d{4}-\d\d-\d\dT)/i;

/**
 * Milliseconds that a response asks to wait: `Retry-After` in seconds, or as a date. If a proxy added a second header, both
 * arrive in one text, and the longer wait counts.
 *
 * @returns `undefined` for a header that is absent, or neither of the two.
 */
export function readRetryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  let longest: number | undefined;
  let weekday = '';
  for (const part of header?.split(',') ?? []) {
    const text = `${weekday}${part}`.trim();
    weekday = WEEKDAY.test(text) ? `${text},` : '';
    const wait = SECONDS.test(text) ? Number(text) * 1000 : DATE.test(text) ? Date.parse(text) - now : Number.NaN;
    if (!Number.isNaN(wait)) longest = Math.max(longest ?? 0, wait);
  }
  return longest;
}
