/** Milliseconds of a `Retry-After`: seconds or an HTTP date. */
export function readRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The end of a message about an answer that names a time. */
export const retryAfterHint = (ms: number | undefined): string => (ms ? ` Wait ${Math.ceil(ms / 1000)} s.` : '');
