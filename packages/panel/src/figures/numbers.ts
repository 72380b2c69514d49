/** Formats numbers and dates in one language. */
export type Numbers = ReturnType<typeof makeNumbers>;

/** The formats for a reader whose browser sent this `Accept-Language` header. */
export function numbersFor(acceptLanguage: string | undefined): Numbers {
  for (const entry of acceptLanguage?.split(',') ?? []) {
    const tag = entry.split(';')[0]?.trim() ?? '';
    try {
      const [locale] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (locale) return numbersOf(locale);
    } catch {
      // Not a valid language tag; try the next one.
    }
  }
  return numbersOf('en');
}

/** The formats of a language that `Intl` supports, cached. */
function numbersOf(locale: string): Numbers {
  const known = made.get(locale);
  if (known) return known;
  if (made.size >= MOST_LOCALES) made.clear();
  const numbers = makeNumbers(locale);
  made.set(locale, numbers);
  return numbers;
}

const MOST_LOCALES = 100;
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
/** Cached, because creating formatters takes longer than rendering a page. */
const made = new Map<string, Numbers>();

function makeNumbers(locale: string) {
  const format = (options: Intl.NumberFormatOptions) => {
    const formatter = new Intl.NumberFormat(locale, options);
    return (value: number) => formatter.format(value);
  };
  const date = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (text: string) => formatter.format(new Date(text));
  };
  const year = date({ year: 'numeric' });
  const dayOfMonth = date({ day: 'numeric', month: 'long' });
  const dayOfYear = date({ day: 'numeric', month: 'long', year: 'numeric' });
  return {
    /** 1,234 */
    count: format({ maximumFractionDigits: 0 }),
    /** 42.4K */
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    /** 1.25 % */
    percent: format({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    /** 1.3 %, where there is little room */
    shortPercent: format({ style: 'percent', maximumFractionDigits: 1 }),
    /** 12 % */
    wholePercent: format({ style: 'percent', maximumFractionDigits: 0 }),
    /** +18 % */
    change: format({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
    /** 22 Nov */
    day: date({ day: 'numeric', month: 'short' }),
    /** 22 November, with the year if it is not that of `now` */
    dayOfMonth: (text: string, now: number) =>
      (year(text) === year(new Date(now).toISOString()) ? dayOfMonth : dayOfYear)(text),
    /** 22 Nov 2026 */
    fullDay: date(DATE),
    /** Sunday, 22 November 2026 */
    longDay: date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** 22 Nov 2026, 10:00 UTC */
    moment: date({ ...DATE, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
  };
}
