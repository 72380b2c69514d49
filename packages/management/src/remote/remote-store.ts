import { type BlogRecord, type BlogSource, type ImportedBlog, type ImportOptions, sha256Hex } from '@broadsheet/store';
import { toBase64 } from './base64.ts';
import { createManagementClient, type ManagementClient } from './management-client.ts';
import { inParts } from './parts.ts';
import { type ManagedStore, STORE_VERBS, type StoreVerb } from './verbs.ts';

/** The number of blogs that are queried in parallel. */
const AT_ONCE = 8;

/**
 * Opens the store of a remote server or deployment through its management endpoints.
 *
 * @param token a token of the server, or the secret `ADMIN_TOKEN` of the deployment
 * @throws OperationError when the URL has no such endpoints, or the token is wrong
 */
export async function openRemoteStore(url: string, token: string | undefined): Promise<ManagedStore> {
  const client = createManagementClient(url, token);
  await client.listBlogIds();
  return {
    ...storeVerbs(client),
    putImage: (blogId, { bytes }) => client.call(blogId, 'addImage', toBase64(bytes)),
    findImage: client.findImage,
    createBlog: ({ id, ...blog }) => client.call(id, 'createBlog', blog),
    async exportInParts(blogId, take) {
      const blog = await client.call(blogId, 'exportBlog');
      if (!blog) return;
      await take({ ...blog, posts: [] });
      await take(blog);
    },
    listBlogs: (only) => listBlogs(client, only),
    importBlogs: (blogs, now, options) => importBlogs(client, blogs, now, options),
    listTokens: () => client.call(undefined, 'listTokens'),
    createToken: (record, token) => client.call(undefined, 'createToken', record, token),
    revokeToken: (name) => client.call(undefined, 'revokeToken', name),
    close: async () => {},
  };
}

/** The methods that are verbs under the same names. */
function storeVerbs(client: ManagementClient): Pick<ManagedStore, StoreVerb & keyof ManagedStore> {
  const verbs = Object.keys(STORE_VERBS).map((verb) => [
    verb,
    (blogId: string, ...args: never) => client.call(blogId, verb as StoreVerb, ...args),
  ]);
  // `Object.fromEntries` loses the type: each method takes the arguments of its verb.
  return Object.fromEntries(verbs);
}

async function listBlogs(client: ManagementClient, only: string | undefined): Promise<readonly BlogRecord[]> {
  if (only !== undefined) return client.call(only, 'listBlogs');
  const ids = await client.listBlogIds();
  const records: BlogRecord[] = [];
  for (let index = 0; index < ids.length; index += AT_ONCE) {
    const some = ids.slice(index, index + AT_ONCE).map((id) => client.call(id, 'listBlogs'));
    records.push(...(await Promise.all(some)).flat());
  }
  return records;
}

/**
 * Each blog is imported atomically, but several blogs are not. Therefore a dry run of all of them comes first, so that
 * conflicts are found before anything is written. Parts that an interrupted import has sent are not sent again.
 */
async function importBlogs(
  client: ManagementClient,
  blogs: BlogSource,
  now: number,
  { prune = false, keepNames = false, dryRun = false, onProgress }: ImportOptions = {},
): Promise<readonly ImportedBlog[]> {
  const sent = new Map<string, string[]>();
  let posts = 0;
  for await (const blog of blogs) {
    const parts = sent.get(blog.id) ?? [];
    sent.set(blog.id, parts);
    for (const part of inParts(blog)) {
      const name = await sha256Hex(JSON.stringify(part));
      const [missing] = await client.call(blog.id, 'missingParts', [name]);
      if (missing) await client.call(blog.id, 'addImportPart', name, part);
      parts.push(name);
      posts += part.posts.length;
      await onProgress?.(posts);
    }
  }
  async function run(options: ImportOptions): Promise<readonly ImportedBlog[]> {
    const imported: ImportedBlog[] = [];
    for (const [id, parts] of sent) imported.push(...(await client.call(id, 'importParts', parts, now, options)));
    return imported;
  }
  const tried = dryRun || sent.size > 1 ? await run({ prune, keepNames, dryRun: true }) : [];
  return dryRun ? tried : run({ prune, keepNames });
}
