const MINUTE = 60_000;

/** The last day of each time zone, and its minute since the epoch. */
const zones = new Map<string, { readonly format: Intl.DateTimeFormat; minute: number; day: string }>();

/**
 * The day of an instant in a time zone, as `YYYY-MM-DD`. Cached by minute, because formatting is slow; every time zone
 * begins its days at a full minute.
 */
export function dayOf(at: number, timeZone = 'UTC'): string {
  // The Swedish locale writes a date as YYYY-MM-DD.
  const zone = zones.get(timeZone) ?? {
    format: new Intl.DateTimeFormat('sv-SE', { timeZone }),
    minute: Number.NaN,
    day: '',
  };
  zones.set(timeZone, zone);
  const minute = Math.floor(at / MINUTE);
  if (zone.minute === minute) return zone.day;
  zone.minute = minute;
  zone.day = zone.format.format(at);
  return zone.day;
}
