import { NetworkError } from './errors/error-kinds.ts';
import type * as OnDemand from './on-demand.ts';

/** Loads the modules that only some calls need, so that they are not in the first file of a program. */
const load = (): Promise<typeof OnDemand> => import('./on-demand.ts');

/** The modules that a call can do without; `undefined` where they cannot be loaded, such as in a service worker. */
export const tryLoad = (): Promise<typeof OnDemand | undefined> => load().catch(() => undefined);

/**
 * Loads the modules that a call needs.
 *
 * @throws NetworkError when a browser cannot load them.
 */
export function loadOnDemand(): Promise<typeof OnDemand> {
  return load().catch((cause: unknown) => {
    const message = 'a part of the client that this call needs could not be loaded.';
    throw new NetworkError(message, { code: 'NETWORK_ERROR', phase: 'parse', retryable: true, cause });
  });
}
