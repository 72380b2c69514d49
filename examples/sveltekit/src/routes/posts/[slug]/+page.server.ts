import { error } from '@sveltejs/kit';
import { marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { blog } from '../../../lib/server/blog';

// By default, sanitize-html removes images.
const allowedTags = [...sanitizeHtml.defaults.allowedTags, 'img'];

export async function load({ params }) {
  const { ok, data, error: failure } = await blog.posts.getBySlug(params.slug).safe();
  if (ok) return { title: data.title, content: sanitizeHtml(await marked(data.content), { allowedTags }) };
  if (failure.code === 'NOT_FOUND') error(404, 'There is no such post');
  throw failure;
}
