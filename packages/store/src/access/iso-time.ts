/** A stored time, in milliseconds, as a timestamp. */
export const isoTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
