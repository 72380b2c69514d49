import type { FieldError } from './rules/wording.ts';
import type { ErrorEnvelope } from './schemas/error-envelope.ts';

/** The properties that all failures with one code have in common. */
export interface ErrorKind<Status extends number = number> {
  readonly status: Status;
  readonly type: string;
  readonly retryable: boolean;
  /** One sentence about what happened; it is the heading of the error's page in the docs. */
  readonly summary: string;
}

/** A request may be repeated if the server was busy or failed; a refused request would be refused again. */
function failure<Status extends number>(status: Status, type: string, summary: string): ErrorKind<Status> {
  return { status, type, retryable: status === 429 || status >= 500, summary };
}

/** Every failure the API can respond with (api.md 7, and the codes it leaves open). */
export const ERRORS = {
  VALIDATION_ERROR: failure(400, 'field_validation', 'A parameter or a field of the body is missing or out of bounds.'),
  INVALID_JSON: failure(400, 'request', 'The body is not valid JSON.'),
  CLICK_TOKEN_INVALID: failure(400, 'click_token', 'The click token was not issued by this API for this blog.'),
  CLICK_TOKEN_EXPIRED: failure(400, 'click_token', 'The click token is older than ten minutes.'),
  UNAUTHORIZED: failure(401, 'authentication', 'The API key or the preview token is missing or not valid.'),
  ORIGIN_NOT_ALLOWED: failure(
    403,
    'authorization',
    'The click comes from a site that is not one of the domains of the blog.',
  ),
  NOT_FOUND: failure(404, 'not_found', 'The item does not exist, or it is not published.'),
  NO_SUCH_ENDPOINT: failure(404, 'not_found', 'No endpoint of the API has this path.'),
  METHOD_NOT_ALLOWED: failure(405, 'request', 'The path exists, but not with this method.'),
  CLICK_TOKEN_USED: failure(409, 'conflict', 'This click token was already used.'),
  PAYLOAD_TOO_LARGE: failure(413, 'request', 'The body is larger than the server accepts.'),
  UNSUPPORTED_MEDIA_TYPE: failure(415, 'request', 'The body must be declared as JSON.'),
  RATE_LIMITED: failure(429, 'rate_limit', 'This key or IP address has exceeded its rate limit.'),
  INTERNAL_ERROR: failure(500, 'server', 'Something failed inside the server.'),
  UNAVAILABLE: failure(503, 'server', 'The server cannot reach its database, or is stopping.'),
} satisfies Record<string, ErrorKind>;

/** A stable name of a failure. */
export type ErrorCode = keyof typeof ERRORS;
/** Every {@link ErrorCode}, in the order of their statuses. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS) as ErrorCode[];

/** The parts of an error that differ between two failures with one code. */
interface ErrorParts {
  readonly message: string;
  readonly fields?: readonly FieldError[] | undefined;
  /** Whether the request may be repeated; by default, its code decides. */
  readonly retryable?: boolean | undefined;
  readonly requestId: string;
  /** The page about the error is `{docsUrl}/errors/{code}`. */
  readonly docsUrl: string;
}

/** The body of a failure (api.md 7). */
export function errorEnvelope(code: ErrorCode, parts: ErrorParts): ErrorEnvelope {
  const { status: statusCode, type, retryable: isPassing } = ERRORS[code];
  const { message, fields, requestId, docsUrl, retryable = isPassing } = parts;
  const details = fields && { details: { fields: [...fields] } };
  const docs = `${docsUrl}/errors/${code}`;
  return { success: false, error: { message, code, type, statusCode, retryable, ...details, requestId, docs } };
}
