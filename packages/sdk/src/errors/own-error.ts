import type { EndpointId } from '../endpoint-id.ts';
import type { Phase } from './error-facts.ts';
import { CallbackError } from './error-kinds.ts';
import { type BroadsheetError, isBroadsheetError, messageOf, tryRead } from './errors.ts';
import { type Redact, redactError } from './redact.ts';

/** The error of code that the caller passed: it threw, or returned something that the client cannot use. */
export const callbackError = (id: EndpointId, why: string, phase: Phase, cause?: unknown): CallbackError =>
  new CallbackError(`${id}: ${why}.`, { code: 'CALLBACK_FAILED', phase, endpoint: id, cause });

/** What code of the caller threw, as an error that names the option. An error of the client stays the same. */
export const thrownBy = (option: string | undefined, id: EndpointId, phase: Phase, thrown: unknown): BroadsheetError =>
  isBroadsheetError(thrown)
    ? thrown
    : callbackError(id, `${option ?? 'an option'} failed: ${messageOf(thrown)}`, phase, thrown);

/**
 * Turns a thrown value into an error of this client without the key. An error that cannot be written to, such as one that
 * a middleware froze, becomes the cause of another. This function never throws.
 */
export function ownError(thrown: unknown, id: EndpointId, redact: Redact): BroadsheetError {
  const error = thrownBy(undefined, id, 'connect', thrown);
  const write = (): BroadsheetError =>
    redactError(
      Object.assign(error, {
        endpoint: error.endpoint ?? id,
        attempts: error.attempts,
        mayRepeat: error.mayRepeat,
      }),
      redact,
    );
  return tryRead(write) ?? redactError(callbackError(id, `an option threw ${messageOf(error)}`, 'connect'), redact);
}
