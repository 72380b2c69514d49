import type { Post } from '@broadsheet/contract';
import { type Awaitable, Encoded, type Range } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { type PostList, type PostLists, STEP, TOP } from './post-lists.ts';

/** Reads pages of lists, each as it was at one revision of its blog. */
export type ReadPage = (list: PostList, revision: string, range: Range) => Awaitable<Encoded<readonly Post[]>>;

/** Bytes that are cached by default. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Posts that are read at least. */
const READ = 10;
/** Bytes that a post needs beside its JSON, about. */
const OVERHEAD = 500;
/** Lists of which steps are cached: a hundred keys of 50 bytes in a list of 100,000 posts. */
const MAX_STEPS = 1000;
const encoder = new TextEncoder();

interface CachedPost {
  /** JSON with a comma behind it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sortKey: string;
}

/**
 * Reads pages through a cache of posts by their number in a list, so that pages that overlap share them whatever their
 * offset and limit. Posts of earlier revisions are not found again and make room for others.
 */
export function createPageCache({ readPosts, readSteps }: PostLists, maxBytes = MAX_BYTES): ReadPage {
  const cache = new LRUCache<string, CachedPost>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: ({ bytes }) => bytes.byteLength + OVERHEAD,
  });
  /** Keys on the way to pages far down, by list. */
  const steps = new LRUCache<string, readonly string[]>({ max: MAX_STEPS });

  async function findPlace(list: PostList, listKey: string, post: number) {
    if (post <= STEP) return { below: TOP, skip: post };
    const keys = steps.get(listKey) ?? (await readSteps(list));
    steps.set(listKey, keys);
    const passed = Math.min(Math.floor((post - 1) / STEP), keys.length - 1);
    return { below: keys[passed] ?? TOP, skip: post - 1 - passed * STEP };
  }

  return (list, revision, { offset, limit }) => {
    const listKey = `${revision} ${list.label?.kind} ${list.label?.id}`;
    const found: CachedPost[] = [];
    for (let post: CachedPost | undefined; found.length < limit; found.push(post)) {
      post = cache.get(`${offset + found.length} ${listKey}`);
      if (!post) return readMissing();
    }
    return toPage(found);

    async function readMissing() {
      const from = offset + found.length;
      // A client that reads page after page continues where the last one ended, without skipping rows.
      const below = cache.get(`${from - 1} ${listKey}`)?.sortKey;
      const place = below === undefined ? await findPlace(list, listKey, from) : { below, skip: 0 };
      const rows = await readPosts(list, place, Math.max(limit - found.length, READ));
      const posts = rows.map(({ post, sort_key }) => ({
        bytes: typeof post === 'string' ? encoder.encode(post) : post,
        sortKey: sort_key,
      }));
      for (const [index, post] of posts.entries()) cache.set(`${from + index} ${listKey}`, post);
      return toPage([...found, ...posts].slice(0, limit));
    }
  };
}

/** The cache owns the bytes of the posts. */
function toPage(posts: readonly CachedPost[]): Encoded<readonly Post[]> {
  const chunks = posts.map(({ bytes }) => bytes);
  const last = chunks.pop();
  // Behind the last post stands no comma.
  if (last) chunks.push(last.subarray(0, -1));
  return new Encoded({ chunks, owned: false }, '[', ']');
}
