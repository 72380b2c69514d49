import { OperationError } from '@broadsheet/management';
import { type Clash, sha256Hex } from '@broadsheet/store';
import type { DurableStorage } from '../durable/driver.ts';
import { blogObjectName, directoryName, INDEX_NAME } from './directory.ts';
import type { Environment } from './environment.ts';

/** @throws OperationError when another blog has one of the keys, because the directory has one blog for each key */
export async function requireFreeKeys(
  { BLOGS }: Environment,
  blogId: string,
  apiKeys: readonly string[],
): Promise<void> {
  for (const apiKey of apiKeys) {
    const hash = await sha256Hex(apiKey);
    const owner = await BLOGS.getByName(directoryName(hash)).findBlogId(hash);
    if (owner === undefined || owner === blogId) continue;
    // A key of a deleted blog may be given to another blog.
    if (!(await BLOGS.getByName(blogObjectName(owner)).hasKey(hash))) continue;
    const message = 'one of its API keys is in use elsewhere; remove it to get a new key';
    const clash: Clash = { code: 'KEY_IN_USE', blogId, message };
    throw new OperationError([clash], 'CONFLICT');
  }
}

/** Adds the keys of an object's blog to the directory. */
export async function giveKeys({ BLOGS }: Environment, { sql }: DurableStorage): Promise<void> {
  for (const { blog_id } of sql.exec('select blog_id from blogs').toArray()) {
    const blogId = String(blog_id);
    const rows = sql.exec('select key_hash from api_keys where blog_id = ?', blogId).toArray();
    const shards = Map.groupBy(
      rows.map((row) => String(row['key_hash'])),
      directoryName,
    );
    for (const [name, hashes] of shards) await BLOGS.getByName(name).addKeys(blogId, hashes);
    await BLOGS.getByName(INDEX_NAME).addBlog(blogId);
  }
}
