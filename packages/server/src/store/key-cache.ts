import type { Blog } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';
import { keyHash } from './key-hash.ts';
import { prepareRead } from './prepared.ts';

/** The blogs of keys, read again when something may have changed. */
export interface KeyCache {
  find(apiKey: string): Promise<Blog | undefined>;
  /** Forgets everything: this process has written to a blog or a key. */
  clear(): void;
}

interface KeyRow {
  blog_id: string;
  domains: string;
  revision: string;
}

const KEYS_KEPT = 10_000;

/**
 * Keeps the blogs of keys that were found for as long as `epoch` gives the same number. Keys that open nothing are
 * not kept: whoever guesses must not be able to push the others out.
 */
export function createKeyCache({ reader: db, ready, epoch }: Database): KeyCache {
  const query = prepareRead<{ hash: string }, KeyRow>(ready, (arg) =>
    db
      .selectFrom('api_keys')
      .innerJoin('blogs', 'blogs.blog_id', 'api_keys.blog_id')
      .select(['blogs.blog_id', 'blogs.domains', 'blogs.revision'])
      .where('api_keys.key_hash', '=', arg('hash'))
      .where('api_keys.revoked_at', 'is', null),
  );
  const kept = new LRUCache<string, { epoch: number; blog: Promise<Blog | undefined> }>({ max: KEYS_KEPT });

  async function read(hash: string): Promise<Blog | undefined> {
    const [row] = await query({ hash });
    return row && { id: row.blog_id, domains: JSON.parse(row.domains), revision: row.revision };
  }
  return {
    find(apiKey) {
      const hash = keyHash(apiKey);
      const now = epoch();
      const entry = kept.get(hash);
      if (entry?.epoch === now) return entry.blog;
      const fresh = { epoch: now, blog: read(hash) };
      kept.set(hash, fresh);
      const forget = () => {
        if (kept.get(hash) === fresh) kept.delete(hash);
      };
      fresh.blog.then((blog) => blog ?? forget(), forget);
      return fresh.blog;
    },
    clear: () => kept.clear(),
  };
}
