/**
 * Waits until it is woken; rejects with the reason of the signal when that aborts first. `begin` gets what wakes it and
 * returns what ends the waiting, either way and at once.
 */
export function wait(signal: AbortSignal, begin: (wake: () => void) => () => void): Promise<void> {
  // Not an async function: what is woken first must go on first.
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => leave(() => reject(signal.reason));
    const leave = (settle: () => void) => {
      end();
      signal.removeEventListener('abort', abort);
      settle();
    };
    const end = begin(() => leave(resolve));
    signal.addEventListener('abort', abort);
  });
}
