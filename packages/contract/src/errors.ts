/** What a kind of failure always has in common. */
export interface ErrorKind {
  readonly status: number;
  readonly type: string;
  readonly retryable: boolean;
  /** What happened, in a sentence: the heading of its page in the docs. */
  readonly summary: string;
}

/** Every failure the API can answer with (api.md 7, and the codes it leaves open). */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    type: 'field_validation',
    retryable: false,
    summary: 'A parameter or a field of the body is missing or out of bounds.',
  },
  INVALID_JSON: {
    status: 400,
    type: 'request',
    retryable: false,
    summary: 'The body is not valid JSON.',
  },
  CLICK_TOKEN_INVALID: {
    status: 400,
    type: 'click_token',
    retryable: false,
    summary: 'The click token was not issued by this API for this blog.',
  },
  CLICK_TOKEN_EXPIRED: {
    status: 400,
    type: 'click_token',
    retryable: false,
    summary: 'The click token is older than ten minutes.',
  },
  UNAUTHORIZED: {
    status: 401,
    type: 'authentication',
    retryable: false,
    summary: 'The API key is missing or not valid.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    type: 'authorization',
    retryable: false,
    summary: 'The click comes from a site that is not one of the domains of the blog.',
  },
  NOT_FOUND: {
    status: 404,
    type: 'not_found',
    retryable: false,
    summary: 'There is nothing at this address, or it is not published.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    type: 'request',
    retryable: false,
    summary: 'The path exists, but not with this method.',
  },
  CLICK_TOKEN_USED: {
    status: 409,
    type: 'conflict',
    retryable: false,
    summary: 'This click token was already used.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    type: 'request',
    retryable: false,
    summary: 'The body is larger than the server reads.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: 'request',
    retryable: false,
    summary: 'The body must be declared as JSON.',
  },
  RATE_LIMITED: {
    status: 429,
    type: 'rate_limit',
    retryable: true,
    summary: 'This key sends more requests than it may.',
  },
  INTERNAL_ERROR: {
    status: 500,
    type: 'server',
    retryable: true,
    summary: 'Something failed inside the server.',
  },
  UNAVAILABLE: {
    status: 503,
    type: 'server',
    retryable: true,
    summary: 'The server cannot reach its database, or is stopping.',
  },
} as const satisfies Record<string, ErrorKind>;

/**
 * A stable name of a failure.
 *
 * @example
 * ```ts
 * const code: ErrorCode = 'RATE_LIMITED';
 * const { error } = createFactories().error(code);
 * ```
 */
export type ErrorCode = keyof typeof ERRORS;
/** Every {@link ErrorCode}, in the order of their statuses. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS) as ErrorCode[];
