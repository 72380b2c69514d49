import type { Incoming } from '../answer/incoming.ts';
import type { Outgoing } from '../calls/outgoing.ts';
import type { BroadsheetError } from '../errors/errors.ts';

/** What an attempt of a call about ads means for the next one. */
export interface Lesson {
  /** Whether it may have counted an impression. */
  readonly mayBeCounted: boolean;
  /** Whether the click was counted by an earlier attempt, whose response was lost. */
  readonly isReplay: boolean;
}

/** Remembers what an attempt says about keys and tokens. */
export function learn(
  { endpoint, id, settings, task }: Outgoing,
  response: Incoming | undefined,
  error: BroadsheetError | undefined,
): Lesson {
  const { keyedAt, token } = task;
  if (response && (keyedAt !== undefined || id === 'ads.impression')) {
    const accepted = response.headers.has('idempotency-accepted');
    // A failure may come from a proxy, which knows nothing about keys.
    if (accepted || !error) settings.ads.acceptsKeys = accepted;
  }
  const isReplay = error?.status === 409 && token?.wasLost === true;
  // Unless the API has answered, it may have counted the click.
  if (token && error && (error.retryable || !/^(answer|input)$/.test(error.phase))) token.wasLost = true;
  return { isReplay, mayBeCounted: endpoint.effect === 'delivery' && error !== undefined && !error.mayRepeat };
}
