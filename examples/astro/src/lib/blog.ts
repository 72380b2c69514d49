import { createClient, memoryCache, type Post } from '@broadsheet/sdk';

// Reads BROADSHEET_BASE_URL and BROADSHEET_API_KEY. A build requests the same lists for many pages, so they are cached.
export const blog = createClient({ cache: memoryCache({ fresh: 60_000 }) });

/** Every published post, newest first. */
export const posts = (): Promise<Post[]> => blog.posts.list({ limit: 100 }).collect();

/** The path of the page of each post. */
export async function postPaths() {
  return (await posts()).map((post) => ({ params: { slug: post.slug }, props: { post } }));
}
