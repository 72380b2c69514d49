export default defineEventHandler(async (event) => {
  const slug = getRouterParam(event, 'slug', { decode: true }) ?? '';
  const { ok, data, error } = await blog.posts.getBySlug(slug).safe();
  if (ok) return { title: data.title, content: data.content };
  if (error.code === 'NOT_FOUND') throw createError({ statusCode: 404, statusMessage: 'There is no such post' });
  throw error;
});
