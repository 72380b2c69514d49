import { blog } from '#lib/server/blog.ts';

export async function load({ fetch }) {
  const { items } = await blog.posts.list({ limit: 10, fetch });
  return { posts: items.map(({ slug, title }) => ({ slug, title })) };
}
