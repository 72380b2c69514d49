/**
 * Waits until `wake` is called; rejects with the reason of the first signal that aborts before that. `begin` receives
 * `wake` and returns a cleanup function, which runs in both cases before the promise settles.
 */
export function wait(signals: readonly AbortSignal[], begin: (wake: () => void) => () => void): Promise<void> {
  // Not an async function, so that callers continue in the order in which they are woken.
  return new Promise((resolve, reject) => {
    for (const signal of signals) signal.throwIfAborted();
    const abort = ({ target }: Event) => leave(() => reject((target as AbortSignal).reason));
    const leave = (settle: () => void) => {
      end();
      for (const signal of signals) signal.removeEventListener('abort', abort);
      settle();
    };
    const end = begin(() => leave(resolve));
    for (const signal of signals) signal.addEventListener('abort', abort);
  });
}
