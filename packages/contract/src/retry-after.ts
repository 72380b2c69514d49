/** The comma between the parts of a header that was sent more than once. The comma after a weekday belongs to its date. */
const BETWEEN = /(?<!(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}),/i;
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
  for (const part of header?.split(BETWEEN) ?? []) {
    const text = part.trim();
    const wait = SECONDS.test(text) ? Number(text) * 1000 : DATE.test(text) ? Date.parse(text) - now : Number.NaN;
    if (wait >= 0 || wait < 0) longest = Math.max(longest ?? 0, wait);
  }
  return longest;
}
