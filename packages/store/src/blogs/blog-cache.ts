import type { Blog } from '@broadsheet/core';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import { sha256Hex } from './api-key.ts';
import { cacheReads, type ReadCache } from './read-cache.ts';

/** The blogs of keys. The database knows keys by their hash alone; those that are in use need no hashing here. */
export function cacheBlogsOfKeys({ reader: db, ready, changes }: Database): ReadCache<Blog> {
  const query = prepareRead(ready, (arg: Arg<{ hash: string }>) =>
    db
      .selectFrom('api_keys')
      .innerJoin('blogs', 'blogs.blog_id', 'api_keys.blog_id')
      .select(['blogs.blog_id', 'blogs.domains', 'blogs.revision'])
      .select(
        // Written out, the status lets the databases see that the index of scheduled posts will do.
        sql<string | null>`(select min(scheduled_at) from posts
          where posts.blog_id = blogs.blog_id and status = 'SCHEDULED')`.as('next_due'),
      )
      .where('api_keys.key_hash', '=', arg('hash'))
      .where('api_keys.revoked_at', 'is', null),
  );
  const read = async (apiKey: string): Promise<Blog | undefined> => {
    const [row] = await query({ hash: await sha256Hex(apiKey) });
    if (!row) return undefined;
    const { blog_id: id, domains, revision, next_due } = row;
    return {
      id,
      domains: JSON.parse(domains),
      revision,
      nextDueAt: next_due === null ? undefined : Date.parse(next_due),
    };
  };
  const cache = cacheReads(changes.epoch, ({ id }: Blog) => id, read);
  changes.listen(cache.forget);
  return cache;
}
