import type { ErrorFacts } from './error-facts.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './error-kinds.ts';

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  413: ValidationError,
  415: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error of the class that fits a status. */
export function apiError(status: number, message: string, facts: ErrorFacts): ApiError {
  const kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new kind(message, { ...facts, status });
}
