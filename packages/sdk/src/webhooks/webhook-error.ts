/** The codes of a {@link WebhookError}, each with the status for the response. */
const STATUSES = {
  SECRET_INVALID: 500,
  HEADERS_MISSING: 400,
  TIMESTAMP_OUT_OF_RANGE: 400,
  SIGNATURE_INVALID: 401,
  BODY_TOO_LARGE: 413,
  BODY_UNREADABLE: 400,
  BODY_INVALID: 400,
} as const;

/**
 * The reason why a request is not accepted as a webhook. `SECRET_INVALID` is a mistake in the configuration of the
 * receiver; the others are properties of the request.
 */
export type WebhookErrorCode = keyof typeof STATUSES;

/**
 * Thrown by `unwrap` for a request that must be ignored. Neither its message nor its cause contains the secret.
 *
 * @example
 * ```ts
 * const event = await unwrap(request, secret).catch((error: unknown) => {
 *   if (error instanceof WebhookError) console.warn(error.code, error.status);
 *   throw error;
 * });
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  /** The status to respond with. The server tries again after any status other than 2xx. */
  readonly status: number;

  constructor(code: WebhookErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = STATUSES[code];
  }
}
