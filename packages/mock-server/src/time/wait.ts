/**
 * Waits until `wake` is called; rejects with the reason of the signal when that aborts first. `begin` receives `wake`
 * and returns a cleanup function, which runs in both cases before the promise settles.
 */
export function wait(signal: AbortSignal, begin: (wake: () => void) => () => void): Promise<void> {
  // Not an async function, so that callers continue in the order in which they are woken.
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
