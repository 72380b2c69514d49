import { readRetryAfter } from '@broadsheet/contract/retry-after';

/** Statuses after which a delivery may have been counted, regardless of the body. */
const LOST = [408, 502, 504];
/** Statuses of something in front of the API that did not pass the request on. */
const TURNED_AWAY = [429, 503];

/** A response that does not match the request. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  declare readonly status: number;
  /** Milliseconds to wait before the next request (`Retry-After`). */
  declare readonly retryAfter: number;
  /** Whether nothing was counted, so that a delivery may be repeated. */
  declare readonly mayRepeat: boolean;

  /** @param retryable What the API's own error says; `undefined` for the response of something else, such as a proxy. */
  constructor(status: number, message: string, retryAfter = 0, retryable = TURNED_AWAY.includes(status)) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.mayRepeat = retryable && !LOST.includes(status);
  }
}

/**
 * The error for a response, with the API's own message if it has one. `payload` is the body of a successful response,
 * or the error from reading it.
 */
export async function errorOf(response: Response, target: string, payload: unknown): Promise<unknown> {
  const { ok, status, headers } = response;
  // Without the idempotency key, so that the same failure gives the same message.
  const [path] = target.split('?');
  // A body that is not JSON is still a response; a body that is cut off or times out counts as no response.
  if (payload instanceof Error && !(payload instanceof SyntaxError)) return payload;
  if (ok)
    return new DeliveryError(status, `${path} did not return what the API returns: a result for each slot, or ok`);
  const body: { error?: { message?: string; retryable?: boolean } } | null = await response.json().catch(() => null);
  const { message = '', retryable } = body?.error ?? {};
  return new DeliveryError(
    status,
    `${path} returned ${status}: ${message}`,
    readRetryAfter(headers.get('Retry-After')),
    retryable,
  );
}

/** The HTTP status of a rejection of any transport; 0 when there was no response. */
export function statusOf(cause: unknown): number {
  return Number((cause as { status?: unknown } | null | undefined)?.status) || 0;
}

/**
 * The status of a failure that the API, or a proxy in front of it, reports; 0 when there was no response of the API. A
 * success that is not in its format is not one: an offline page or a captive portal has taken its place.
 */
export function failureOf(cause: unknown): number {
  const status = statusOf(cause);
  return status < 400 ? 0 : status;
}
