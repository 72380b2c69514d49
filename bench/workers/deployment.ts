import { createManagementClient, remoteImporter } from '../../packages/management/src/index.ts';
import { runWorker, type Workerd } from '../../tools/testing/workerd.ts';

export const BLOG = 'workers';
export const KEY = 'key-of-the-bench';
const TOKEN = 'a-token-of-management-for-the-bench-alone';

/** The blog that is measured: posts, and two ads for each format of a batch. */
export const snapshot = {
  id: BLOG,
  name: 'Bench',
  apiKeys: [KEY],
  posts: Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    title: `Post ${index}`,
    slug: `post-${index}`,
    content: 'x'.repeat(2000),
    publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  })),
  ads: ['BANNER', 'SIDEBAR', 'INLINE', 'POPUP'].flatMap((format, row) =>
    [0, 1].map((index) => ({
      id: `00000000-0000-4000-8000-0000000000${row}${index}`,
      format: format as 'BANNER',
      title: `${format} ${index}`,
    })),
  ),
};

/** Options that start workerd with its storage in a folder or in memory. */
export const optionsOf = (folder?: string) => ({
  bindings: { ADMIN_TOKEN: TOKEN },
  ...(folder !== undefined && { durableObjectsPersist: folder }),
});

/** Starts a deployment with the blog in workerd. */
export async function startDeployment(entry: string, folder?: string): Promise<Workerd> {
  const deployment = await runWorker(entry, optionsOf(folder));
  const client = createManagementClient(deployment.url, TOKEN);
  if ((await client.listBlogIds()).length === 0) {
    await remoteImporter(client.run).importBlogs([snapshot], Date.now(), {});
  }
  return deployment;
}
