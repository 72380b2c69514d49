import { createClient, NotFoundError } from '@broadsheet/sdk';

/**
 * The base URL and the key come from BROADSHEET_BASE_URL and BROADSHEET_API_KEY, which only the server sees. Next caches
 * reads for an hour, under the tags that /api/revalidate expires; ads are never cached.
 */
export const blog = createClient({
  fetchOptions: { next: { revalidate: 3600 } },
  nextTags: true,
  // The number of proxies in front of this server that set X-Forwarded-For.
  trust: Number(process.env.TRUST_PROXY ?? 0),
});

/** The result of a read, or undefined for what does not exist. */
export async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
