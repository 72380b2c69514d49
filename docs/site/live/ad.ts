import type { Blog } from '@broadsheet/sdk';

export async function run(blog: Blog): Promise<unknown> {
  // #region shown
  const ad = await blog.ads.deliver('BANNER');
  return ad.filled && { title: ad.title, linkUrl: ad.linkUrl };
  // #endregion shown
}
