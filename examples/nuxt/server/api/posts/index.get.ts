export default defineEventHandler(async () => {
  const { items } = await blog.posts.list({ limit: 10 });
  return items.map(({ slug, title }) => ({ slug, title }));
});
