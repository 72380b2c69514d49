/** Numbers and dates as a reader writes them. */
export interface Numbers {
  /** 1,234 */
  count(value: number): string;
  /** 42.4K */
  short(value: number): string;
  /** 1.25 % */
  percent(share: number): string;
  /** 1.3 %, where there is little room */
  shortPercent(share: number): string;
  /** 12 % */
  wholePercent(share: number): string;
  /** +18 % */
  change(share: number): string;
  /** 22 Nov */
  day(day: string): string;
  /** 22 Nov 2026 */
  fullDay(day: string): string;
  /** Sunday, 22 November 2026 */
  longDay(day: string): string;
  /** 22 Nov 2026, 10:00 UTC */
  moment(iso: string): string;
}

/** Writes for the reader whose browser sent this list of languages. */
export function numbersFor(acceptLanguage: string | undefined): Numbers {
  for (const entry of acceptLanguage?.split(',') ?? []) {
    const tag = entry.split(';')[0]?.trim() ?? '';
    try {
      const [locale] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (locale) return numbersOf(locale);
    } catch {
      // No language tag: the next one may be.
    }
  }
  return numbersOf('en');
}

/** Writes numbers and dates in a language that `Intl` knows. */
export function numbersOf(locale: string): Numbers {
  const known = made.get(locale);
  if (known) return known;
  if (made.size >= MOST_LOCALES) made.clear();
  const numbers = makeNumbers(locale);
  made.set(locale, numbers);
  return numbers;
}

const MOST_LOCALES = 100;
/** Formatters cost more to make than a page does to draw. */
const made = new Map<string, Numbers>();

function makeNumbers(locale: string): Numbers {
  const format = (options: Intl.NumberFormatOptions) => {
    const formatter = new Intl.NumberFormat(locale, options);
    return (value: number) => formatter.format(value);
  };
  const date = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (text: string) => formatter.format(new Date(text));
  };
  return {
    count: format({ maximumFractionDigits: 0 }),
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    percent: format({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    shortPercent: format({ style: 'percent', maximumFractionDigits: 1 }),
    wholePercent: format({ style: 'percent', maximumFractionDigits: 0 }),
    change: format({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
    day: date({ day: 'numeric', month: 'short' }),
    fullDay: date({ day: 'numeric', month: 'short', year: 'numeric' }),
    longDay: date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    moment: date({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
  };
}
