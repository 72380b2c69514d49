import { marked } from 'marked';
import sanitizeHtml from 'sanitize-html';

// By default, sanitize-html removes images.
const allowedTags = [...sanitizeHtml.defaults.allowedTags, 'img'];

export default defineEventHandler(async (event) => {
  const slug = getRouterParam(event, 'slug', { decode: true }) ?? '';
  const { ok, data, error } = await blog.posts.getBySlug(slug).safe();
  if (ok) return { title: data.title, content: sanitizeHtml(await marked(data.content), { allowedTags }) };
  if (error.code === 'NOT_FOUND') throw createError({ statusCode: 404, statusMessage: 'There is no such post' });
  throw error;
});
