import { type Awaitable, type Blog, isPromise } from '@broadsheet/core';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import { sha256Hex } from './api-key.ts';

export type BlogCache = ReturnType<typeof cacheBlogs>;

interface Entry {
  readonly epoch: number;
  blog: Awaitable<Blog | undefined>;
}

const MAX_ENTRIES = 50_000;

/**
 * Remembers the blog of each key for as long as `epoch` gives the same number and the blog is not forgotten. Keys that
 * were not found are not remembered: someone who guesses must not be able to push the others out.
 */
export function cacheBlogs(epoch: () => number, read: (apiKey: string) => Promise<Blog | undefined>) {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });

  return {
    /** The blog of a key: without a promise when it is known. */
    get(apiKey: string): Awaitable<Blog | undefined> {
      const now = epoch();
      const entry = entries.get(apiKey);
      if (entry?.epoch === now) return entry.blog;
      const reading = read(apiKey);
      const fresh: Entry = { epoch: now, blog: reading };
      entries.set(apiKey, fresh);
      const drop = () => {
        if (entries.get(apiKey) === fresh) entries.delete(apiKey);
      };
      reading.then((blog) => {
        if (blog === undefined) drop();
        else fresh.blog = blog;
      }, drop);
      return reading;
    },
    /** Forgets a blog, or all of them. */
    forget(blogId?: string): void {
      for (const [key, { blog }] of [...entries]) {
        // Which blog is being read is not known yet.
        if (blogId === undefined || isPromise(blog) || blog?.id === blogId) entries.delete(key);
      }
    },
  };
}

/** The blogs of keys. The database knows keys by their hash alone; those that are in use need no hashing here. */
export function cacheBlogsOfKeys({ reader: db, ready, changes }: Database): BlogCache {
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
  const cache = cacheBlogs(changes.epoch, async (apiKey) => {
    const [row] = await query({ hash: await sha256Hex(apiKey) });
    if (!row) return undefined;
    const { blog_id: id, domains, revision, next_due } = row;
    const nextDueAt = next_due === null ? undefined : Date.parse(next_due);
    return { id, domains: JSON.parse(domains), revision, nextDueAt };
  });
  changes.listen(cache.forget);
  return cache;
}
