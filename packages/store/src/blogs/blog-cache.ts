import type { Blog } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import type { Database, Transact } from '../database.ts';
import { RUNTIME } from '../runtime.ts';
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { sha256Hex } from './api-key.ts';

interface Entry {
  readonly epoch: number;
  readonly reading: Promise<Blog | undefined>;
  /** The blog, once it is read. */
  blog?: Blog | undefined;
}

const MAX_ENTRIES = 50_000;

/**
 * Caches the blog of each key until `epoch` changes or the blog is forgotten. Unknown keys are not cached: guessing
 * keys must not evict valid ones.
 *
 * @param use called with each key that opens a blog
 */
export function cacheBlogs(
  epoch: () => number,
  read: (apiKey: string) => Promise<Blog | undefined>,
  use: (apiKey: string) => void = () => {},
) {
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const entries = new LRUCache<string, Entry>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });

  const find = (apiKey: string): Entry | undefined => {
    const entry = entries.get(apiKey);
    if (entry?.epoch !== epoch()) return undefined;
    if (entry.blog) use(apiKey);
    return entry;
  };
  return {
    /** The blog of a key, if it is cached. */
    peek: (apiKey: string): Blog | undefined => find(apiKey)?.blog,
    get(apiKey: string): Promise<Blog | undefined> {
      const entry = find(apiKey);
      if (entry) return entry.reading;
      const fresh: Entry = { epoch: epoch(), reading: read(apiKey) };
      entries.set(apiKey, fresh);
      const drop = () => {
        if (entries.get(apiKey) === fresh) entries.delete(apiKey);
      };
      fresh.reading.then((blog) => {
        if (blog === undefined) return drop();
        fresh.blog = blog;
        use(apiKey);
      }, drop);
      return fresh.reading;
    },
    /** Forgets a blog, or all of them. */
    forget(blogId?: string): void {
      for (const [key, { blog }] of [...entries]) {
        // While an entry is being read, its blog is not known yet.
        if (blogId === undefined || blog === undefined || blog.id === blogId) entries.delete(key);
      }
    },
  };
}

/** Caches the blogs of keys. The database has only the hashes of keys; a cached key need not be hashed. */
export function cacheBlogsOfKeys({ reader, changes, transact, runtime = RUNTIME }: Database) {
  const read = async (apiKey: string): Promise<Blog | undefined> => {
    // The status is a literal, so that the databases can use the partial index of scheduled posts.
    const [row] = await reader<Tables['blogs'] & { next_due: string | null }>`select blogs.*, (select min(scheduled_at)
        from posts where posts.blog_id = blogs.blog_id and status = 'SCHEDULED') as next_due
      from api_keys join blogs on blogs.blog_id = api_keys.blog_id
      where key_hash = ${await sha256Hex(apiKey)} and revoked_at is null`;
    if (!row) return undefined;
    const { blog_id: id, domains, time_zone, revision, next_due } = row;
    const nextDueAt = next_due === null ? undefined : Date.parse(next_due);
    return { id, domains: JSON.parse(domains), timeZone: time_zone ?? undefined, revision, nextDueAt };
  };
  return cacheBlogs(changes.epoch, read, recordKeyUses(transact, runtime.now));
}

/** Milliseconds between two records of the use of a key. */
const HOUR = 60 * 60 * 1000;
const MAX_KEYS = 10_000;

/** Records when keys were used: each of them at most once an hour. */
function recordKeyUses(transact: Transact, clock: () => number) {
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const recorded = new LRUCache<string, number>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  return (apiKey: string): void => {
    const now = clock();
    if (now - (recorded.get(apiKey) ?? 0) < HOUR) return;
    recorded.set(apiKey, now);
    const write = async (db: Db) =>
      db`update api_keys set used_at = ${now} where key_hash = ${await sha256Hex(apiKey)}
        and (used_at is null or used_at <= ${now - HOUR})`;
    // No request waits for it or fails because of it: the next hour brings another use.
    transact(write).catch(() => undefined);
  };
}
