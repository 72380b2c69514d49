/**
 * A length of time: milliseconds, or a number with its unit such as `'300ms'`, `'1.5s'`, `'10m'`, `'2h'`, `'1d'`.
 */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration in milliseconds. @throws RangeError for an invalid or negative duration */
export function milliseconds(duration: Duration): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const ms = typeof duration === 'number' ? duration : Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new RangeError(`${JSON.stringify(duration)} is not a duration; write milliseconds, or '1.5s', '10m'`);
}

/** A fixed duration, or a range from which one is selected at random. */
export type Latency = Duration | readonly [from: Duration, to: Duration];
