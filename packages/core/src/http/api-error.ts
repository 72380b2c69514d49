import { ERRORS, type ErrorCode, type FieldError } from '@broadsheet/contract';

/** The properties of an error besides its code. */
export interface ApiErrorDetails {
  readonly message?: string;
  readonly fields?: readonly FieldError[];
  /** Whether the request may be repeated; by default, the code decides. */
  readonly retryable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause, for the operator's log; the caller never sees it. */
  readonly cause?: unknown;
}

/** An error of the API's catalogue; throwing one ends the request with it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? details.fields?.map(({ message }) => message).join('; ') ?? ERRORS[code].summary, {
      cause: details.cause,
    });
    this.code = code;
    this.details = details;
  }
}

/** Whether an error is an {@link ApiError}, including one from another copy of this module. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';
