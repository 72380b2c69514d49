import type { CallEvent, CallOptions } from '../options.ts';
import { callHook } from './call-hook.ts';

const LEVELS = { request: 'debug', response: 'debug', retry: 'warn', failure: 'error' } as const;

/** Reports one event of a call. */
export type Report = (kind: CallEvent['kind'], attempt: number, more?: Partial<CallEvent>) => void;

/** Passes the events of a call to `onEvent` and to `logger`. */
export function createReport(
  common: Pick<CallEvent, 'endpoint' | 'method' | 'url'>,
  { onEvent, logger }: CallOptions,
): Report {
  const { endpoint, method, url } = common;
  return (kind, attempt, more) => {
    const event: CallEvent = { kind, ...common, attempt, ...more };
    callHook('onEvent', onEvent, event);
    if (!logger) return;
    const { status = '', error } = event;
    const message = error?.message ?? `${endpoint}: ${method} ${url} ${status}`;
    // Sites often request posts that do not exist, and show their 404 page for them.
    const level = kind === 'failure' && error?.code === 'NOT_FOUND' ? 'debug' : LEVELS[kind];
    callHook('logger', (one) => logger[level](one, `${kind} ${attempt}: ${message}`), event);
  };
}
