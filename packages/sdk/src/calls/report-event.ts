import type { CallEvent, CallOptions, Logger } from '../options.ts';

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

const LEVELS = { request: 'debug', response: 'debug', retry: 'warn', failure: 'error' } as const;

/** Gives an event to `onEvent` and to `logger`. */
export function reportEvent(onEvent: CallOptions['onEvent'], logger: Logger | undefined, event: CallEvent): void {
  callHook('onEvent', onEvent, event);
  if (!logger) return;
  const { kind, endpoint, method, url, attempt, status = '', error } = event;
  const words = error?.message ?? `${endpoint}: ${method} ${url} ${status}`;
  // A site requests many posts that do not exist, and shows its 404 page for them.
  const level = kind === 'failure' && error?.code === 'NOT_FOUND' ? 'debug' : LEVELS[kind];
  callHook('logger', (one) => logger[level](one, `${kind} ${attempt}: ${words}`), event);
}
