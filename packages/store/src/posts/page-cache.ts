import type { Post } from '@broadsheet/contract';
import { Encoded, type Range } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { type PostList, type PostLists, STEP, TOP } from './post-lists.ts';

/** Reads pages of lists at a revision of their blog. */
export type ReadPage = (list: PostList, revision: string, range: Range) => Promise<Encoded<readonly Post[]>>;

/** The default size of the cache in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The minimum number of posts per read. */
const READ = 10;
/** The approximate overhead of a cached post, in bytes. */
const OVERHEAD = 500;
/** The number of lists whose steps are cached: a list of 100,000 posts has a hundred keys of 50 bytes. */
const MAX_STEPS = 1000;
const encoder = new TextEncoder();

interface CachedPost {
  /** JSON with a trailing comma. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sortKey: string;
}

/**
 * Reads pages through a cache of posts by their position in a list, so that overlapping pages share posts regardless of
 * their offset and limit. Posts of earlier revisions are never looked up again, and are eventually evicted.
 */
export function createPageCache({ readPosts, readSteps }: PostLists, maxBytes = MAX_BYTES): ReadPage {
  const cache = new LRUCache<string, CachedPost>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: ({ bytes }) => bytes.byteLength + OVERHEAD,
  });
  /** The sort keys of the steps to deep pages, by list. */
  const steps = new LRUCache<string, readonly string[]>({ max: MAX_STEPS });

  async function findPlace(list: PostList, listKey: string, post: number) {
    if (post <= STEP) return { below: TOP, skip: post };
    const keys = steps.get(listKey) ?? (await readSteps(list));
    steps.set(listKey, keys);
    const passed = Math.min(Math.floor((post - 1) / STEP), keys.length - 1);
    return { below: keys[passed] ?? TOP, skip: post - 1 - passed * STEP };
  }

  async function readMissing(list: PostList, listKey: string, from: number, count: number): Promise<CachedPost[]> {
    // A client that reads page after page continues where the last page ended, without skipping rows.
    const below = cache.get(`${from - 1} ${listKey}`)?.sortKey;
    const place = below === undefined ? await findPlace(list, listKey, from) : { below, skip: 0 };
    const rows = await readPosts(list, place, Math.max(count, READ));
    const posts = rows.map(({ post, sort_key }) => ({
      bytes: typeof post === 'string' ? encoder.encode(post) : post,
      sortKey: sort_key,
    }));
    for (const [index, post] of posts.entries()) cache.set(`${from + index} ${listKey}`, post);
    return posts.slice(0, count);
  }

  return async (list, revision, { offset, limit }) => {
    const listKey = `${revision} ${list.label?.kind} ${list.label?.id}`;
    const posts: CachedPost[] = [];
    while (posts.length < limit) {
      const post = cache.get(`${offset + posts.length} ${listKey}`);
      if (!post) break;
      posts.push(post);
    }
    const missing = limit - posts.length;
    if (missing > 0) posts.push(...(await readMissing(list, listKey, offset + posts.length, missing)));
    return toPage(posts);
  };
}

/** The cache owns the bytes of the posts. */
function toPage(posts: readonly CachedPost[]): Encoded<readonly Post[]> {
  const chunks = posts.map(({ bytes }) => bytes);
  const last = chunks.pop();
  // Removes the trailing comma of the last post.
  if (last) chunks.push(last.subarray(0, -1));
  return new Encoded({ chunks, owned: false }, '[', ']');
}
