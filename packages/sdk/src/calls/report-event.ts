import type { Logger } from '../logger.ts';
import type { CallEvent, CallOptions } from '../options.ts';
import { callHook } from './call-hook.ts';

const LEVELS = { request: 'debug', response: 'debug', retry: 'warn', failure: 'error' } as const;

/** Gives an event to `onEvent` and to `logger`. */
export function reportEvent(onEvent: CallOptions['onEvent'], logger: Logger | undefined, event: CallEvent): void {
  callHook('onEvent', onEvent, event);
  if (!logger) return;
  const { kind, endpoint, method, url, attempt, status = '', error } = event;
  const words = error?.message ?? `${endpoint}: ${method} ${url} ${status}`;
  callHook('logger', (one) => logger[LEVELS[kind]](one, `${kind} ${attempt}: ${words}`), event);
}
