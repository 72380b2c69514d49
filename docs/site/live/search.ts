import type { Blog } from '@broadsheet/sdk';

export async function run(blog: Blog): Promise<unknown> {
  // #region shown
  const { items } = await blog.search('market', { limit: 2 });
  return items.map(({ title, publishedAt }) => ({ title, publishedAt }));
  // #endregion shown
}
