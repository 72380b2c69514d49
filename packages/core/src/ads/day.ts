const MINUTE = 60_000;

/** The last day of each time zone, and its minute since the epoch. */
const zones = new Map<string, { readonly format: Intl.DateTimeFormat; minute: number; day: string }>();

/** A database may have the time zone of a newer runtime; without its rules, days are in UTC. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    // The Swedish locale writes a date as YYYY-MM-DD.
    return new Intl.DateTimeFormat('sv-SE', { timeZone });
  } catch {
    return formatIn('UTC');
  }
}

/**
 * The day of an instant in a time zone, as `YYYY-MM-DD`; in UTC if the runtime does not know the time zone. Cached by
 * minute, because formatting is slow; every time zone begins its days at a full minute.
 */
export function dayOf(at: number, timeZone = 'UTC'): string {
  const zone = zones.get(timeZone) ?? {
    format: formatIn(timeZone),
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
