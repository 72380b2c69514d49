import type { ENDPOINTS } from '@broadsheet/contract';

/** The name of a call of the API: the path to it in the client. `request` stands for what `blog.request()` sends. */
export type EndpointId = keyof typeof ENDPOINTS | 'request';
