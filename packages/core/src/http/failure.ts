import { ERRORS, type ErrorCode, type FieldError } from '@broadsheet/contract';

/** What a failure carries beside its code. */
export interface FailureDetails {
  readonly message?: string;
  readonly fields?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong inside, for the operator; it never reaches the caller. */
  readonly cause?: unknown;
}

/** Ends a request with an error of the catalogue. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly details: FailureDetails;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? details.fields?.map(({ message }) => message).join('; ') ?? ERRORS[code].summary, {
      cause: details.cause,
    });
    this.code = code;
    this.details = details;
  }
}
