import type { ENDPOINTS } from '@broadsheet/contract';

/**
 * The name of a call of the API: the path to it in the client. `request` stands for whatever `blog.request()` sends.
 *
 * @example
 * ```ts
 * const slow = new Set<EndpointId>();
 * const watched = createClient({ onEvent: ({ endpoint, duration = 0 }) => void (duration > 500 && slow.add(endpoint)) });
 * ```
 */
export type EndpointId = keyof typeof ENDPOINTS | 'request';
