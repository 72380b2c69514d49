/** The API responded, and not with what was requested. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  declare readonly status: number;
  /** Milliseconds it asks to wait before the next request (`Retry-After`). */
  declare readonly retryAfter: number;

  constructor(status: number, message: string, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The error for a response, with the API's own message if it has one. */
export function errorOf({ ok, status, headers }: Response, path: string, body: unknown): DeliveryError {
  if (ok) return new DeliveryError(status, `${path} did not answer a result for each slot`);
  const { error } = (body ?? {}) as { error?: { message?: string } };
  const wait = headers.get('Retry-After') ?? '';
  // Seconds, or a date.
  const retryAfter = Number(wait) * 1000 || Date.parse(wait) - Date.now() || 0;
  return new DeliveryError(status, `${path} answered ${status}: ${error?.message ?? ''}`, retryAfter);
}

/** The HTTP status of a rejection of any transport; 0 when there was no response. */
export function statusOf(cause: unknown): number {
  return Number((cause as { status?: unknown } | null | undefined)?.status) || 0;
}

/** Worth repeating: no response at all, a server error, or too many requests. */
export function isPassing(status: number): boolean {
  return !status || status >= 500 || status === 429;
}
