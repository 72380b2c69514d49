import { OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';

/** Milliseconds before each repeat. */
const REPEATS = [100, 400, 1500] as const;
/** Codes of a connection that ended before the response did. */
const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
/** The statuses of a proxy without a response of its server, and of a server without its database. */
export const NO_RESPONSE: readonly number[] = [502, 503, 504];

/** Thrown when a proxy or a server says that it has no response. */
export class NoResponse extends StoreUnavailable {}

/** Sends a request again while its response is lost: the server runs a command with the same number once. */
export async function repeatIfLost<T>(send: () => Promise<T>, sleep: (delay: number) => Promise<void>): Promise<T> {
  let wasLost = false;
  for (const wait of REPEATS) {
    try {
      return await send();
    } catch (error) {
      wasLost ||= isLost(error);
      // A server that is restarted refuses connections for a moment.
      if (!wasLost || !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
      await sleep(wait);
    }
  }
  return send();
}

/** Whether a request may have been carried out although its sender got no result. */
function isLost(error: unknown): boolean {
  if (error instanceof NoResponse || error instanceof OutcomeUnknown) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && LOST.includes(String(cause.code))) return true;
  }
  return false;
}
