import type { ErrorFacts } from './error-facts.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RedirectError,
  ResponseError,
  ServerError,
  ValidationError,
} from './error-kinds.ts';
import type { BroadsheetError } from './errors.ts';

/** What an error is made of: the parts that only a failure loads find it out, and carry none of the classes. */
export interface Failure {
  /** The name of the class. */
  readonly kind: string;
  readonly message: string;
  readonly facts: ErrorFacts;
}

const KINDS: readonly (typeof ApiError)[] = [
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RedirectError,
  ResponseError,
  ServerError,
  ValidationError,
];

/** The error that a failure is. */
export function errorOf({ kind, message, facts }: Failure): BroadsheetError {
  const Kind = KINDS.find((one) => one.kind === kind) ?? ApiError;
  return new Kind(message, facts);
}
