const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** `20 November 2026`. */
export const dateline = (timestamp: string): string => DAY.format(new Date(timestamp));

/** `Saturday, 21 November 2026`. */
export const today = (): string => WEEKDAY.format(new Date());

/** `Ines Calloway` for `ines-calloway`. */
export const titleCase = (slug: string): string =>
  slug.replace(/(^|-)([a-z])/g, (_, gap, letter) => (gap ? ' ' : '') + letter.toUpperCase());

/** A name from an author's id when it looks like one (`ines-calloway`); other ids mean nothing to a reader. */
export const byline = (authorId: string | null | undefined): string | undefined =>
  authorId && /^[a-z]+(-[a-z]+)+$/.test(authorId) ? titleCase(authorId) : undefined;

/** `One story`, `3 stories`. */
export const stories = (count: number): string => (count === 1 ? 'One story' : `${count} stories`);
