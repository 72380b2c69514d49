import type { Blog } from '@broadsheet/sdk';

export async function run(blog: Blog): Promise<unknown> {
  // #region shown
  const { items, hasNext } = await blog.posts.list({ limit: 2 });
  return { titles: items.map(({ title }) => title), hasNext };
  // #endregion shown
}
