import { createClient, NotFoundError } from '@broadsheet/sdk';
import { notFound } from 'next/navigation';

/**
 * Address and key come from BROADSHEET_BASE_URL and BROADSHEET_API_KEY, which only the server sees. Reads are stored for
 * an hour, under the tags that /api/revalidate throws away; ads never are.
 */
export const blog = createClient({
  fetchOptions: { next: { revalidate: 3600 } },
  nextTags: true,
  // How many proxies stand before this server: their word on a visitor's address counts.
  trust: Number(process.env.TRUST_PROXY ?? 0),
});

/** What a read gives, or the page "not found" for what there is not. */
export async function orNotFound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
}
