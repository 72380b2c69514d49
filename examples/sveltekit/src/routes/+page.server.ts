import { blog } from '../lib/server/blog';

export async function load() {
  const { items } = await blog.posts.list({ limit: 10 });
  return { posts: items.map(({ slug, title }) => ({ slug, title })) };
}
