// Years 0 to 9999 lie within 15 digits of milliseconds counted from year 0.
const YEAR_ZERO = Date.parse('0000-01-01T00:00:00Z');
const DIGITS = 15;
const LAST = '\u{10ffff}';

/**
 * A post's place in the order of posts as one text: ascending bytes of it are ascending `publishedAt` (none first),
 * then ascending id by code unit. A list walks it downwards and continues from any place by a single comparison.
 */
export function sortKey(publishedAt: string | null, id: string): string {
  const instant = publishedAt === null ? '-' : String(Date.parse(publishedAt) - YEAR_ZERO).padStart(DIGITS, '0');
  return `${instant}:${byCodeUnit(id)}`;
}

/**
 * Databases order text by code point, JavaScript by UTF-16 code unit: the two differ where characters from U+E000 on
 * meet those beyond U+FFFF. Sending the former behind all of the latter makes the orders the same.
 */
function byCodeUnit(text: string): string {
  return text.replace(/[\u{e000}-\u{ffff}\u{10ffff}]/gu, (character) =>
    character === LAST ? `${LAST}\u0001` : `${LAST}${character}`,
  );
}
