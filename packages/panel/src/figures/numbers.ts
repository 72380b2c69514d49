import { dayOf, knownZone } from '@broadsheet/core';

/** Formats numbers and dates in one language, and times in one time zone. */
export type Numbers = ReturnType<typeof makeNumbers>;

/** The formats for a reader whose browser sent this `Accept-Language` header, on a page about a blog with this time zone. */
export function numbersFor(acceptLanguage: string | undefined, timeZone?: string): Numbers {
  for (const entry of acceptLanguage?.split(',') ?? []) {
    const tag = entry.split(';')[0]?.trim() ?? '';
    try {
      const [locale] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (locale) return numbersOf(locale, knownZone(timeZone));
    } catch {
      // Not a valid language tag; try the next one.
    }
  }
  return numbersOf('en', knownZone(timeZone));
}

/** The formats of a language that `Intl` supports, cached. */
function numbersOf(locale: string, timeZone: string): Numbers {
  const key = `${locale} ${timeZone}`;
  const known = made.get(key);
  if (known) return known;
  if (made.size >= MOST_FORMATS) made.clear();
  const numbers = makeNumbers(locale, timeZone);
  made.set(key, numbers);
  return numbers;
}

const MOST_FORMATS = 100;
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
/** Cached, because creating formatters takes longer than rendering a page. */
const made = new Map<string, Numbers>();

function makeNumbers(locale: string, timeZone: string) {
  const format = (options: Intl.NumberFormatOptions) => {
    const formatter = new Intl.NumberFormat(locale, options);
    return (value: number) => formatter.format(value);
  };
  const count = format({ maximumFractionDigits: 0 });
  const percent = format({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const change = format({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  /** Writes timestamps in the time zone, and days such as 2026-11-22 as they are. */
  const date = (options: Intl.DateTimeFormatOptions) => {
    const ofTimestamps = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    const ofDays = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (text: string) => (isDay(text) ? ofDays : ofTimestamps).format(new Date(text));
  };
  const yearOf = (text: string) => (isDay(text) ? text : dayOf(Date.parse(text), timeZone)).slice(0, 4);
  /** Includes the year if it is not the current year. */
  const dayOfYear = (options: Intl.DateTimeFormatOptions) => {
    const [brief, full] = [date(options), date({ ...options, year: 'numeric' })];
    return (text: string, now?: number) =>
      (now === undefined || yearOf(text) === yearOf(new Date(now).toISOString()) ? brief : full)(text);
  };
  return {
    /** 1,234 */
    count,
    /** A count; “–” for a negative one, which is unknown. */
    countIfKnown: (value: number) => (value < 0 ? '–' : count(value)),
    /** 42.4K */
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    /** 1.25 % */
    percent,
    /** A rate; “–” for a negative one, which is unknown. */
    rate: (value: number) => (value < 0 ? '–' : percent(value)),
    /** 1.3 %, where there is little room */
    shortPercent: format({ style: 'percent', maximumFractionDigits: 1 }),
    /** 12 % */
    wholePercent: format({ style: 'percent', maximumFractionDigits: 0 }),
    /** +18 % or −18 %, with a minus sign instead of a hyphen */
    change: (value: number) => change(value).replace('-', '−'),
    /** 22 Nov */
    day: dayOfYear({ day: 'numeric', month: 'short' }),
    /** 22 November */
    dayOfMonth: dayOfYear({ day: 'numeric', month: 'long' }),
    /** 22 Nov 2026 */
    fullDay: date(DATE),
    /** Sunday, 22 November 2026 */
    longDay: date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** 10:00, of a timestamp */
    timeOfDay: date({ hour: 'numeric', minute: '2-digit' }),
    /** 22 Nov 2026, 10:00; the page says the time zone */
    moment: date({ ...DATE, hour: '2-digit', minute: '2-digit' }),
  };
}

const isDay = (text: string): boolean => text.length === 'YYYY-MM-DD'.length;
