import { NetworkError } from './errors/error-kinds.ts';
import type * as OnDemand from './on-demand.ts';

/**
 * Loads what only some calls need, mostly those that fail, so that a program that lists posts does not carry it.
 *
 * @throws NetworkError when a browser cannot load it.
 */
export async function loadOnDemand(): Promise<typeof OnDemand> {
  try {
    return await import('./on-demand.ts');
  } catch (cause) {
    const message = 'the part of the client that reads this answer could not be loaded.';
    throw new NetworkError(message, { code: 'NETWORK_ERROR', phase: 'parse', retryable: true, cause });
  }
}
