import type { EndpointId as Id } from '@broadsheet/contract';

/**
 * The name of a call of the API: the path to it in the client.
 *
 * @example
 * ```ts
 * const slow = new Set<EndpointId>();
 * const watched = createClient({ onEvent: ({ endpoint, duration = 0 }) => void (duration > 500 && slow.add(endpoint)) });
 * ```
 */
export type EndpointId = Id;
