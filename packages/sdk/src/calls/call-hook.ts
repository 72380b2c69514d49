/**
 * Calls a hook of the user. One that throws or rejects is a fault of a log, not of the call: it is written to the
 * console, and never unhandled, which would end a process.
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
