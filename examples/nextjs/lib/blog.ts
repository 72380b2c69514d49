import { createClient, NotFoundError } from '@broadsheet/sdk';

/** The base URL and the key come from BROADSHEET_BASE_URL and BROADSHEET_API_KEY, which only the server sees. */
export const blog = createClient({
  // The number of proxies in front of this site that write X-Forwarded-For.
  trust: process.env.PROXIES ? Number(process.env.PROXIES) : undefined,
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
