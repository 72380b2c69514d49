/**
 * Calls a hook of the user. An error of a hook does not fail the call: it is written to the console, and it never becomes
 * an unhandled rejection, which would end a Node process.
 */
export function callHook<Event>(name: string, hook: ((event: Event) => unknown) | undefined, event: Event): void {
  const failed = (error: unknown): void => console.error(`Broadsheet: ${name} threw`, error);
  try {
    const result = hook?.(event) as PromiseLike<unknown> | undefined;
    if (typeof result?.then === 'function') result.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}
