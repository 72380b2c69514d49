import type { Blog } from '@broadsheet/sdk';

export async function run(blog: Blog): Promise<unknown> {
  // #region shown
  const { error } = await blog.posts.getBySlug('no-such-post').safe();
  return { code: error?.code, status: error?.status };
  // #endregion shown
}
