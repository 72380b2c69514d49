import type { HookMessage } from '@broadsheet/store';

/** The state of a message: `waiting` for an attempt, `retrying`, `delivered`, or `failed` after the last attempt. */
export function hookMessageState({ attempts, nextAt }: HookMessage): 'waiting' | 'retrying' | 'delivered' | 'failed' {
  if (nextAt !== null) return attempts.length === 0 ? 'waiting' : 'retrying';
  const { status = 0 } = attempts.at(-1) ?? {};
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}

/** Why a test has no response yet. It is sent before all messages that wait, so that only requests in flight delay it. */
export const whyTestWaits = (isSending: boolean): string =>
  isSending
    ? 'It is sent next, and the receiver has 15 seconds to respond. Requests in flight may delay it by as much.'
    : 'No process sends webhooks: is "broadsheet serve" running on this database?';
