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
  const percent = format({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const change = format({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const date = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (text: string) => formatter.format(new Date(text));
  };
  const calendarDay = (options: Intl.DateTimeFormatOptions) => date({ ...options, timeZone: 'UTC' });
  const isThisYear = (day: string, now: number) => day.slice(0, 4) === dayOf(now, timeZone).slice(0, 4);
  const day = calendarDay({ day: 'numeric', month: 'short' });
  const dayWithYear = calendarDay(DATE);
  const dayOfMonth = date({ day: 'numeric', month: 'long' });
  const dayOfYear = date({ day: 'numeric', month: 'long', year: 'numeric' });
  return {
    /** 1,234 */
    count: format({ maximumFractionDigits: 0 }),
    /** 42.4K */
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    /** 1.25 % */
    percent,
    /** A rate; “–” for a negative one, which stands for a rate of nothing. */
    rate: (value: number) => (value < 0 ? '–' : percent(value)),
    /** 1.3 %, where there is little room */
    shortPercent: format({ style: 'percent', maximumFractionDigits: 1 }),
    /** 12 % */
    wholePercent: format({ style: 'percent', maximumFractionDigits: 0 }),
    /** +18 % or −18 %, with a minus sign instead of a hyphen */
    change: (value: number) => change(value).replace('-', '−'),
    /** 22 Nov, of a day such as 2026-11-22, with the year if it is not that of `now` */
    day: (text: string, now?: number) => (now === undefined || isThisYear(text, now) ? day : dayWithYear)(text),
    /** 22 November, of a timestamp, with the year if it is not that of `now` */
    dayOfMonth: (text: string, now: number) =>
      (isThisYear(dayOf(Date.parse(text), timeZone), now) ? dayOfMonth : dayOfYear)(text),
    /** 22 Nov 2026, of a timestamp */
    fullDay: date(DATE),
    /** 22 Nov 2026, of a day such as 2026-11-22 */
    dayWithYear,
    /** Sunday, 22 November 2026, of a day such as 2026-11-22 */
    longDay: calendarDay({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** 10:00, of a timestamp */
    timeOfDay: date({ hour: 'numeric', minute: '2-digit' }),
    /** 22 Nov 2026, 10:00; the page says the time zone */
    moment: date({ ...DATE, hour: '2-digit', minute: '2-digit' }),
  };
}
