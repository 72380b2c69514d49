import type { Blog } from '@broadsheet/core';
import type { Database } from '../database.ts';
import { prepareRead } from '../prepared.ts';
import { keyHash } from './api-key.ts';
import { cacheReads, type ReadCache } from './read-cache.ts';

interface KeyRow {
  blog_id: string;
  domains: string;
  revision: string;
}

/** The blogs of keys. The database knows keys by their hash alone; those that are in use need no hashing here. */
export function cacheBlogsOfKeys({ reader: db, ready, epoch }: Database): ReadCache<Blog> {
  const query = prepareRead<{ hash: string }, KeyRow>(ready, (arg) =>
    db
      .selectFrom('api_keys')
      .innerJoin('blogs', 'blogs.blog_id', 'api_keys.blog_id')
      .select(['blogs.blog_id', 'blogs.domains', 'blogs.revision'])
      .where('api_keys.key_hash', '=', arg('hash'))
      .where('api_keys.revoked_at', 'is', null),
  );
  return cacheReads(epoch, async (apiKey) => {
    const [row] = await query({ hash: await keyHash(apiKey) });
    return row && { id: row.blog_id, domains: JSON.parse(row.domains), revision: row.revision };
  });
}
