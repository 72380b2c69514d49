import type { SnapshotBlogInput } from '@broadsheet/contract';
import type { BlogRecord, ImportedBlog, ImportOptions } from '@broadsheet/store';
import { createManagementClient, type ManagementClient } from './management-client.ts';
import { inParts } from './parts.ts';
import type { ManagedStore } from './verbs.ts';

/** Blogs of a deployment that are asked at once. */
const AT_ONCE = 8;

/**
 * The store of a deployment elsewhere, by its doors of management.
 *
 * @param token the secret `ADMIN_TOKEN` of the deployment
 * @throws OperationError when the address has no such doors, or the token is wrong
 */
export async function openRemoteStore(url: string, token: string | undefined): Promise<ManagedStore> {
  const client = createManagementClient(url, token);
  await client.listBlogIds();
  return {
    createBlog: (blog) => client.call(blog.id, 'createBlog', blog),
    setDomains: (...args) => client.call(args[0], 'setDomains', ...args),
    renameBlog: (...args) => client.call(args[0], 'renameBlog', ...args),
    deleteBlog: (...args) => client.call(args[0], 'deleteBlog', ...args),
    exportBlog: (...args) => client.call(args[0], 'exportBlog', ...args),
    async exportInParts(blogId, take) {
      const blog = await client.call(blogId, 'exportBlog', blogId);
      if (!blog) return;
      await take({ ...blog, posts: [] });
      await take(blog);
    },
    listAllPosts: (...args) => client.call(args[0], 'listAllPosts', ...args),
    getAnyPost: (...args) => client.call(args[0], 'getAnyPost', ...args),
    publishPost: (...args) => client.call(args[0], 'publishPost', ...args),
    unpublishPost: (...args) => client.call(args[0], 'unpublishPost', ...args),
    deletePost: (...args) => client.call(args[0], 'deletePost', ...args),
    exportPost: (...args) => client.call(args[0], 'exportPost', ...args),
    listKeys: (...args) => client.call(args[0], 'listKeys', ...args),
    addKey: (...args) => client.call(args[0], 'addKey', ...args),
    revokeKeys: (...args) => client.call(args[0], 'revokeKeys', ...args),
    rotateKey: (...args) => client.call(args[0], 'rotateKey', ...args),
    listAllAds: (...args) => client.call(args[0], 'listAllAds', ...args),
    putAd: (...args) => client.call(args[0], 'putAd', ...args),
    setAdActive: (...args) => client.call(args[0], 'setAdActive', ...args),
    deleteAd: (...args) => client.call(args[0], 'deleteAd', ...args),
    exportAd: (...args) => client.call(args[0], 'exportAd', ...args),
    listBin: (...args) => client.call(args[0], 'listBin', ...args),
    restoreFromBin: (...args) => client.call(args[0], 'restoreFromBin', ...args),
    countsByDay: (...args) => client.call(args[0], 'countsByDay', ...args),
    countsByPlacement: (...args) => client.call(args[0], 'countsByPlacement', ...args),
    listBlogs: (only) => listBlogs(client, only),
    importBlogs: (blogs, now, options) => importBlogs(client, blogs, now, options),
    close: async () => {},
  };
}

async function listBlogs(client: ManagementClient, only: string | undefined): Promise<readonly BlogRecord[]> {
  const ids = (await client.listBlogIds()).filter((id) => only === undefined || id === only);
  const records: BlogRecord[] = [];
  for (let index = 0; index < ids.length; index += AT_ONCE) {
    const some = ids.slice(index, index + AT_ONCE).map((id) => client.call(id, 'listBlogs'));
    records.push(...(await Promise.all(some)).flat());
  }
  return records;
}

/**
 * Each blog is written whole or not at all. Of several, all are tried before the first is written, so that what does
 * not fit is found in time.
 */
async function importBlogs(
  client: ManagementClient,
  blogs: Iterable<SnapshotBlogInput>,
  now: number,
  { prune = false, keepNames = false, dryRun = false, onProgress }: ImportOptions = {},
): Promise<readonly ImportedBlog[]> {
  const sent = new Map<string, string>();
  let posts = 0;
  for (const { blogId, text, size } of inParts(blogs)) {
    const upload = sent.get(blogId) ?? crypto.randomUUID();
    sent.set(blogId, upload);
    await client.call(blogId, 'addImportPart', upload, text);
    posts += size;
    await onProgress?.(posts);
  }
  const run = (blogId: string, upload: string, options: ImportOptions) =>
    client.call(blogId, 'importParts', upload, now, options);
  const tried: ImportedBlog[] = [];
  const trial = dryRun || sent.size > 1;
  if (trial)
    for (const [id, upload] of sent) tried.push(...(await run(id, upload, { prune, keepNames, dryRun: true })));
  const written: ImportedBlog[] = [];
  if (!dryRun) for (const [id, upload] of sent) written.push(...(await run(id, upload, { prune, keepNames })));
  return dryRun ? tried : written;
}
