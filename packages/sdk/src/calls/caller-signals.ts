import { inputError } from '../check-options.ts';
import { AbortError, TimeoutError } from '../errors/error-kinds.ts';
import { type BroadsheetError, messageOf, tryRead } from '../errors/errors.ts';
import type { Outgoing } from './outgoing.ts';
import type { Signal } from './shared.ts';

/** Calls `stop` when a signal of the caller is aborted. Returns the function that removes the listeners. */
export function onAbort({ id, signals }: Outgoing, stop: () => void): () => void {
  for (const signal of signals) {
    try {
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
    } catch (thrown) {
      throw inputError(id, `signal failed: ${messageOf(thrown)}`);
    }
  }
  return () => {
    for (const signal of signals) tryRead(() => signal.removeEventListener('abort', stop));
  };
}

/** The error of a call whose time is over, or that its caller aborted. It runs in a timer, where nothing may throw. */
export function endError({ id, url, signals, timeout }: Outgoing, { work }: Signal): BroadsheetError {
  const { phase = 'connect', option } = work ?? {};
  const caller = signals.find((signal) => tryRead(() => signal.aborted));
  const waiting = option ? `, while waiting for ${option}` : '';
  const end = caller ? 'aborted by the caller' : `timed out after ${timeout} ms, in the phase "${phase}"${waiting}`;
  const message = `${id}: ${end}. (${url})`;
  return caller
    ? new AbortError(message, { code: 'ABORTED', phase, cause: tryRead(() => caller.reason) })
    : new TimeoutError(message, { code: 'TIMEOUT', phase, retryable: true });
}
