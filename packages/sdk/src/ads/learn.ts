import type { Outgoing } from '../calls/outgoing.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { Incoming } from '../response/incoming.ts';

/**
 * Remembers what an attempt says about keys and tokens.
 *
 * @returns Whether an earlier attempt, whose response was lost, counted the click; and whether this one may have counted
 *   an impression.
 */
export function learn(
  { endpoint, id, settings, task }: Outgoing,
  response: Incoming | undefined,
  error: BroadsheetError | undefined,
): { readonly isReplay: boolean; readonly mayBeCounted: boolean } {
  const { keyedAt, token } = task;
  if (response && (keyedAt !== undefined || id === 'ads.impression')) {
    const accepted = response.headers.has('idempotency-accepted');
    // A failure may come from a proxy, which knows nothing about keys.
    if (accepted || !error) settings.ads.acceptsKeys = accepted;
  }
  const isReplay = error?.status === 409 && token?.wasLost === true;
  // Unless the API has responded, it may have counted the click.
  if (token && error && (error.retryable || !/^(response|input)$/.test(error.phase))) token.wasLost = true;
  return { isReplay, mayBeCounted: endpoint.effect === 'delivery' && error !== undefined && !error.mayRepeat };
}
