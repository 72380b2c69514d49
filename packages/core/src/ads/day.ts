const MINUTE = 60_000;
/** Milliseconds. */
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The number of full hours from the epoch to a time. */
export const hourOf = (at: number): number => Math.floor(at / HOUR);

/** The format of each time zone, and its last day with the minute since the epoch. */
const zones = new Map<string, { readonly format: Intl.DateTimeFormat; minute: number; day: string }>();

/** A database may have the time zone of a newer runtime; without its rules, times are in UTC. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    // The Swedish locale writes YYYY-MM-DD HH:MM:SS.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  } catch {
    return formatIn('UTC');
  }
}

function zoneOf(timeZone: string) {
  const zone = zones.get(timeZone) ?? { format: formatIn(timeZone), minute: Number.NaN, day: '' };
  zones.set(timeZone, zone);
  return zone;
}

/** The time zone to use: UTC if the runtime does not know the given one. */
export const knownZone = (timeZone = 'UTC'): string => zoneOf(timeZone).format.resolvedOptions().timeZone;

/** The local time in a time zone at a given time, as `YYYY-MM-DDTHH:MM:SS`; see {@link dayOf}. */
export function localTime(at: number, timeZone = 'UTC'): string {
  return zoneOf(timeZone).format.format(at).padStart(19, '0').replace(' ', 'T');
}

/** A time as an ISO 8601 timestamp with the offset of a time zone, such as `2026-11-25T09:00:00.000+01:00`. */
export function timestampIn(at: number, timeZone?: string): string {
  const local = Date.parse(`${localTime(at, timeZone)}.${new Date(at).toISOString().slice(-4)}`);
  const offset = Math.round((local - at) / MINUTE);
  if (offset === 0) return new Date(at).toISOString();
  const [hours, minutes] = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) => `${Math.floor(part)}`);
  const zone = `${hours?.padStart(2, '0')}:${minutes?.padStart(2, '0')}`;
  return `${new Date(local).toISOString().slice(0, -1)}${offset < 0 ? '-' : '+'}${zone}`;
}

/**
 * The day of a timestamp in a time zone, as `YYYY-MM-DD`; in UTC if the runtime does not know the time zone. Cached by
 * minute, because formatting is slow; every time zone begins its days at a full minute.
 */
export function dayOf(at: number, timeZone = 'UTC'): string {
  const zone = zoneOf(timeZone);
  const minute = Math.floor(at / MINUTE);
  if (zone.minute === minute) return zone.day;
  zone.minute = minute;
  [zone.day = ''] = localTime(at, timeZone).split('T');
  return zone.day;
}

/**
 * The time of a local time such as `2026-03-29T00:00` in a time zone. If the local time occurs twice, it is the first
 * one. If it is skipped, it is moved forward by as much as the clocks, so `T00:00` is the start of any day.
 */
export function fromLocalTime(local: string, timeZone = 'UTC'): number {
  const shown = Date.parse(`${local}Z`);
  if (timeZone === 'UTC') return shown;
  const offset = (at: number) => Date.parse(`${localTime(at, timeZone)}Z`) - Math.floor(at / 1000) * 1000;
  // Clocks change at most once in two days.
  const [before, after] = [offset(shown - DAY), offset(shown + DAY)];
  const [first, second] = [shown - before, shown - after];
  return offset(first) !== before && offset(second) === after ? second : first;
}
