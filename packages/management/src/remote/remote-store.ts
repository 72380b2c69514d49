import type { SnapshotBlogInput } from '@broadsheet/contract';
import type { BlogRecord, ImportedBlog, ImportOptions } from '@broadsheet/store';
import { toBase64 } from './base64.ts';
import { createManagementClient, type ManagementClient } from './management-client.ts';
import { inParts } from './parts.ts';
import { type ManagedStore, STORE_VERBS, type StoreVerb, type Verbs } from './verbs.ts';

/** The number of blogs of a deployment that are queried in parallel. */
const AT_ONCE = 8;

/**
 * Opens the store of a remote deployment through its management endpoints.
 *
 * @param token the secret `ADMIN_TOKEN` of the deployment
 * @throws OperationError when the URL has no such endpoints, or the token is wrong
 */
export async function openRemoteStore(url: string, token: string | undefined): Promise<ManagedStore> {
  const client = createManagementClient(url, token);
  await client.listBlogIds();
  return {
    ...storeVerbs(client),
    putImage: (blogId, { bytes }) => client.call(blogId, 'addImage', blogId, toBase64(bytes)),
    findImage: client.findImage,
    createBlog: (blog) => client.call(blog.id, 'createBlog', blog),
    async exportInParts(blogId, take) {
      const blog = await client.call(blogId, 'exportBlog', blogId);
      if (!blog) return;
      await take({ ...blog, posts: [] });
      await take(blog);
    },
    listBlogs: (only) => listBlogs(client, only),
    importBlogs: (blogs, now, options) => importBlogs(client, blogs, now, options),
    close: async () => {},
  };
}

/** The methods that a blog of the deployment has under the same names. */
function storeVerbs(client: ManagementClient): Pick<ManagedStore, StoreVerb> {
  const verbs = STORE_VERBS.map((verb) => [
    verb,
    (...args: Parameters<Verbs[StoreVerb]>) => client.call(args[0], verb, ...args),
  ]);
  // `Object.fromEntries` loses the type: each method takes the arguments of its verb.
  return Object.fromEntries(verbs);
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
 * Each blog is imported atomically, but several blogs are not. Therefore a dry run of all of them comes first, so that
 * conflicts are found before anything is written.
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
  async function run(options: ImportOptions): Promise<readonly ImportedBlog[]> {
    const imported: ImportedBlog[] = [];
    for (const [id, upload] of sent) imported.push(...(await client.call(id, 'importParts', upload, now, options)));
    return imported;
  }
  const tried = dryRun || sent.size > 1 ? await run({ prune, keepNames, dryRun: true }) : [];
  return dryRun ? tried : run({ prune, keepNames });
}
