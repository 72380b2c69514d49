/** What a kind of failure always has in common. */
export interface ErrorKind {
  readonly status: number;
  readonly type: string;
  readonly retryable: boolean;
  /** What happened, in a sentence: the heading of its page in the docs. */
  readonly summary: string;
  /** How to mend it. */
  readonly repair: string;
}

/** Every failure the API can answer with (api.md 7, and the codes it leaves open). */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    type: 'field_validation',
    retryable: false,
    summary: 'A parameter or a field of the body is missing or out of bounds.',
    repair:
      'Read `details.fields`: each entry names the field, what is wrong with it and a code. Correct it and send the request again.',
  },
  INVALID_JSON: {
    status: 400,
    type: 'request',
    retryable: false,
    summary: 'The body is not valid JSON.',
    repair: 'Send the body through `JSON.stringify` or an equal, encoded in UTF-8.',
  },
  CLICK_TOKEN_INVALID: {
    status: 400,
    type: 'click_token',
    retryable: false,
    summary: 'The click token was not issued by this API for this blog.',
    repair: 'Send the `clickToken` exactly as the delivery returned it, with the same API key.',
  },
  CLICK_TOKEN_EXPIRED: {
    status: 400,
    type: 'click_token',
    retryable: false,
    summary: 'The click token is older than ten minutes.',
    repair: 'Ask for an ad again; a token lives ten minutes from its delivery.',
  },
  UNAUTHORIZED: {
    status: 401,
    type: 'authentication',
    retryable: false,
    summary: 'The API key is missing or not valid.',
    repair: 'Send the key of the blog in the `X-API-Key` header. If the key was rotated, use the new one.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    type: 'authorization',
    retryable: false,
    summary: 'The click comes from a site that is not one of the domains of the blog.',
    repair:
      'Send the click from a page of the blog, or add the domain of the page to the blog. A proxy must pass `Origin` or `Referer` on.',
  },
  NOT_FOUND: {
    status: 404,
    type: 'not_found',
    retryable: false,
    summary: 'There is nothing at this address, or it is not published.',
    repair: 'Check the id, slug or path. Drafts and scheduled posts answer as if they did not exist.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    type: 'request',
    retryable: false,
    summary: 'The path exists, but not with this method.',
    repair: 'Use one of the methods that the `Allow` header lists.',
  },
  CLICK_TOKEN_USED: {
    status: 409,
    type: 'conflict',
    retryable: false,
    summary: 'This click token was already used.',
    repair: 'Nothing needs mending: the click is counted. A token is good for one click.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    type: 'request',
    retryable: false,
    summary: 'The body is larger than the server reads.',
    repair: 'Keep bodies below 64 KiB; split a batch of slots into several requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: 'request',
    retryable: false,
    summary: 'The body must be declared as JSON.',
    repair: 'Send the header `Content-Type: application/json`.',
  },
  RATE_LIMITED: {
    status: 429,
    type: 'rate_limit',
    retryable: true,
    summary: 'This key sends more requests than it may.',
    repair: 'Wait for the seconds of the `Retry-After` header, then go on more slowly.',
  },
  INTERNAL_ERROR: {
    status: 500,
    type: 'server',
    retryable: true,
    summary: 'Something failed inside the server.',
    repair: 'Try again with growing pauses. If it lasts, report the `requestId`.',
  },
  UNAVAILABLE: {
    status: 503,
    type: 'server',
    retryable: true,
    summary: 'The server cannot reach its database, or is stopping.',
    repair: 'Wait for the seconds of the `Retry-After` header and try again.',
  },
} as const satisfies Record<string, ErrorKind>;

/** A stable name of a failure. */
export type ErrorCode = keyof typeof ERRORS;
/** Every {@link ErrorCode}, in the order of their statuses. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS) as ErrorCode[];
