import type { CallEvent, CallOptions } from './options.ts';

/** Tells a hook of an event. A hook that throws is a fault of a log, not of the call. */
export function tell(hook: CallOptions['onEvent'], event: CallEvent): void {
  try {
    hook?.(event);
  } catch (error) {
    console.error('Broadsheet: onEvent threw', error);
  }
}
