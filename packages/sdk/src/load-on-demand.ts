import { NetworkError } from './errors/error-kinds.ts';
import type * as OnDemand from './on-demand.ts';

/**
 * Loads the modules that only some calls need, mostly failed ones, so that they are not in the first file of a program.
 *
 * @throws NetworkError when a browser cannot load it.
 */
export async function loadOnDemand(): Promise<typeof OnDemand> {
  try {
    return await import('./on-demand.ts');
  } catch (cause) {
    const message = 'a part of the client that this call needs could not be loaded.';
    throw new NetworkError(message, { code: 'NETWORK_ERROR', phase: 'parse', retryable: true, cause });
  }
}
