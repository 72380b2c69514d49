/**
 * Carries the requests of the client by an instance of ky 2, with its hooks.
 *
 * @example
 * ```ts
 * import { createClient } from '@broadsheet/sdk';
 * import { kyFetch } from '@broadsheet/sdk/ky';
 * import ky from 'ky';
 *
 * const blog = createClient({ fetch: kyFetch(ky) });
 * ```
 *
 * @module
 */
export { type KyInstance, kyFetch } from './ky-fetch.ts';
