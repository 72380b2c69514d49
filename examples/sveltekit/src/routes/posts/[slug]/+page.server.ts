import { error } from '@sveltejs/kit';
import { blog } from '#lib/server/blog.ts';

export async function load({ params }) {
  const result = await blog.posts.getBySlug(params.slug).safe();
  if (result.ok) return { title: result.data.title, content: result.data.content };
  if (result.error.code === 'NOT_FOUND') error(404, 'There is no such post');
  throw result.error;
}
