const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** `20 November 2026`; empty for a post without a date. */
export const dateline = (timestamp: string | null | undefined): string =>
  timestamp ? DAY.format(new Date(timestamp)) : '';

/** `Saturday, 21 November 2026`. */
export const today = (): string => WEEKDAY.format(new Date());

/** A name from an author's id when it looks like one (`ines-calloway`); other ids mean nothing to a reader. */
export function byline(authorId: string | undefined): string | undefined {
  if (!authorId || !/^[a-z]+(-[a-z]+)+$/.test(authorId)) return undefined;
  return authorId.replace(/(^|-)([a-z])/g, (_, gap, letter) => (gap ? ' ' : '') + letter.toUpperCase());
}

/** Whole minutes that a text takes to read, one at least. */
export function readingTime(text: string): string {
  const words = text.split(/\s+/).length;
  const minutes = Math.max(1, Math.round(words / 220));
  return `${minutes} min read`;
}
