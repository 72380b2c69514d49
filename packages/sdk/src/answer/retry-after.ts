/** Milliseconds that an answer asks to wait: of `retry-after-ms`, else of `Retry-After` in seconds or as an HTTP date. */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const precise = headers.get('retry-after-ms');
  if (precise && /^\d+(\.\d+)?$/.test(precise)) return Number(precise);
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The end of a message about an answer that names a time. */
export const retryAfterHint = (ms: number | undefined): string => (ms ? ` Wait ${Math.ceil(ms / 1000)} s.` : '');
