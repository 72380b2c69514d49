// Years 0 to 9999 lie within 15 digits of milliseconds counted from year 0.
const YEAR_ZERO = Date.parse('0000-01-01T00:00:00Z');
const DIGITS = 15;
const LAST = '\u{10ffff}';

/**
 * The place of a post in the order of posts, as one text: its byte order is ascending `publishedAt` (no date first),
 * then ascending id by code unit. A list reads it in descending order, and continues anywhere with a single comparison.
 */
export function sortKey(publishedAt: string | null, id: string): string {
  const time = publishedAt === null ? '-' : String(Date.parse(publishedAt) - YEAR_ZERO).padStart(DIGITS, '0');
  return `${time}:${byCodeUnit(id)}`;
}

/**
 * Databases order text by code point, JavaScript by UTF-16 code unit. The orders differ only between characters from
 * U+E000 to U+FFFF and those beyond U+FFFF, so the former are moved behind the latter.
 */
function byCodeUnit(text: string): string {
  return text.replace(/[\u{e000}-\u{ffff}\u{10ffff}]/gu, (character) =>
    character === LAST ? `${LAST}\u0001` : `${LAST}${character}`,
  );
}
