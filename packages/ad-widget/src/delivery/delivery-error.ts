/** A response that is not what was requested. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  declare readonly status: number;
  /** Milliseconds to wait before the next request (`Retry-After`). */
  declare readonly retryAfter: number;
  /** What the API's own error says about repeating; `undefined` for the response of something else, such as a proxy. */
  declare readonly retryable: boolean | undefined;

  constructor(status: number, message: string, retryAfter = 0, retryable?: boolean) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.retryable = retryable;
  }
}

/** The error for a response, with the API's own message if it has one. */
export function errorOf({ ok, status, headers }: Response, target: string, body: unknown): DeliveryError {
  // Without the idempotency key, so that the same failure gives the same message.
  const [path] = target.split('?');
  if (ok) return new DeliveryError(status, `${path} did not return a result for each slot`);
  const { error } = (body ?? {}) as { error?: { message?: string; retryable?: boolean } };
  const wait = headers.get('Retry-After') ?? '';
  // Seconds, or a date.
  const retryAfter = Number(wait) * 1000 || Date.parse(wait) - Date.now() || 0;
  return new DeliveryError(status, `${path} answered ${status}: ${error?.message ?? ''}`, retryAfter, error?.retryable);
}

/** The HTTP status of a rejection of any transport; 0 when there was no response. */
export function statusOf(cause: unknown): number {
  return Number((cause as { status?: unknown } | null | undefined)?.status) || 0;
}

/**
 * Whether a delivery may be repeated. It may have counted impressions, so only after a response that says it did not: one
 * from the API that allows a repeat, or a 429 or 503 from a proxy in front of it. Never without a response.
 */
export function mayRepeat(cause: unknown): boolean {
  const status = statusOf(cause);
  const { retryable = status === 429 || status === 503 } = cause as { retryable?: boolean };
  return !!status && retryable;
}
