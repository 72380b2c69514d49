import { tryRead } from '../errors/errors.ts';

/**
 * Calls a hook of the user. An error of a hook does not fail the call: it is written to the console, and it never becomes
 * an unhandled rejection, which would end a Node process.
 *
 * @returns The result of the hook, if it did not throw.
 */
export function callHook<Event, Result>(
  name: string,
  hook: ((event: Event) => Result) | undefined,
  event: Event,
): Result | undefined {
  // A test may have made the console throw.
  const failed = (error: unknown): unknown => tryRead(() => console.error(`Broadsheet: ${name} threw`, error));
  try {
    const result = hook?.(event);
    const { then } = (result ?? {}) as PromiseLike<unknown>;
    if (typeof then === 'function') then.call(result, undefined, failed);
    return result;
  } catch (error) {
    failed(error);
    return undefined;
  }
}
