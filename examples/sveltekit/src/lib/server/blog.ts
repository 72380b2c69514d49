import { createClient, memoryCache } from '@broadsheet/sdk';

/** Responses are used for an hour, or until the webhook reports a change; for another day if the API is down. */
export const cache = memoryCache({ fresh: 3_600_000, staleIfError: 86_400_000 });
export const blog = createClient({ cache });
