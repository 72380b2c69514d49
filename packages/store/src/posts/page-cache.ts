import type { Post } from '@broadsheet/contract';
import { type Awaitable, Encoded, type Range } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { type Place, type PostList, type PostLists, type PostRow, STEP, TOP } from './post-lists.ts';

/** Reads pages of lists, each as it was at one revision of its blog. */
export type ReadPage = (list: PostList, revision: string, range: Range) => Awaitable<Encoded<readonly Post[]>>;

/** Bytes that are cached by default. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Posts of a block. */
const SIZE = 10;
/** Bytes that a block needs beside its posts, about. */
const OVERHEAD = 500;
/** Lists of which steps are cached: a hundred keys of 50 bytes in a list of 100,000 posts. */
const MAX_STEPS = 1000;
const COMMA = 0x2c;
const encoder = new TextEncoder();

/** Posts that follow each other in a list, {@link SIZE} of them unless the list ends. */
interface Block {
  /** Each post as JSON with a comma behind it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the comma of each post is. */
  readonly commas: readonly number[];
  readonly lastKey: string | undefined;
}

/**
 * Reads pages through a cache of blocks of posts, so that pages that overlap share them whatever their offset and
 * limit. A page holds views of its blocks, which are not the receiver's. Blocks of earlier revisions are not found
 * again and make room for others.
 */
export function createPageCache({ readPosts, readSteps }: PostLists, maxBytes = MAX_BYTES): ReadPage {
  const cache = new LRUCache<string, Block>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: ({ bytes }) => bytes.byteLength + OVERHEAD,
  });

  /** Keys on the way to pages far down, by list. */
  const steps = new LRUCache<string, readonly string[]>({ max: MAX_STEPS });
  async function findPlace(list: PostList, listKey: string, post: number): Promise<Place> {
    if (post <= STEP) return { below: TOP, skip: post };
    const keys = steps.get(listKey) ?? (await readSteps(list));
    steps.set(listKey, keys);
    const passed = Math.min(Math.floor((post - 1) / STEP), keys.length - 1);
    return { below: keys[passed] ?? TOP, skip: post - 1 - passed * STEP };
  }

  return (list, revision, { offset, limit }) => {
    const listKey = JSON.stringify([list.blogId, revision, list.label?.kind, list.label?.id]);
    const keyOf = (number: number) => `${number} ${listKey}`;
    const first = Math.floor(offset / SIZE);
    const count = Math.floor((offset + limit - 1) / SIZE) - first + 1;
    const found = Array.from({ length: count }, (_, index) => cache.get(keyOf(first + index)));
    const start = offset - first * SIZE;
    const missing = found.indexOf(undefined);
    if (missing === -1) return pageOf(found, start, limit);

    const end = found.lastIndexOf(undefined) + 1;
    const from = first + missing;
    // A client that reads page after page continues where the last one ended, without skipping rows.
    const below = (found[missing - 1] ?? cache.get(keyOf(from - 1)))?.lastKey;
    const read = async () => {
      const place = below === undefined ? await findPlace(list, listKey, from * SIZE) : { below, skip: 0 };
      const rows = await readPosts(list, place, (end - missing) * SIZE);
      for (let at = missing; at < end; at += 1) {
        const block = toBlock(rows.slice((at - missing) * SIZE, (at - missing + 1) * SIZE));
        found[at] = block;
        cache.set(keyOf(first + at), block);
      }
      return pageOf(found, start, limit);
    };
    return read();
  };
}

function toBlock(rows: readonly PostRow[]): Block {
  const posts = rows.map(({ post }) => (typeof post === 'string' ? encoder.encode(post) : post));
  const bytes = new Uint8Array(posts.reduce((size, { byteLength }) => size + byteLength + 1, 0));
  let at = 0;
  const commas = posts.map((post) => {
    bytes.set(post, at);
    at += post.byteLength;
    bytes[at] = COMMA;
    at += 1;
    return at - 1;
  });
  return { bytes, commas, lastKey: rows.at(-1)?.sort_key };
}

/** Views of `limit` posts from the one at `start`, or of those there are. */
function pageOf(blocks: readonly (Block | undefined)[], start: number, limit: number): Encoded<readonly Post[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let skip = start;
  let left = limit;
  for (const { bytes, commas } of blocks.filter((block) => block !== undefined)) {
    const taken = Math.min(commas.length - skip, left);
    if (taken <= 0) break;
    const begin = skip === 0 ? 0 : (commas[skip - 1] ?? 0) + 1;
    const comma = commas[skip + taken - 1] ?? 0;
    chunks.push(bytes.subarray(begin, comma + 1));
    left -= taken;
    skip = 0;
  }
  const last = chunks.pop();
  // Behind the last post stands no comma.
  if (last) chunks.push(last.subarray(0, -1));
  return new Encoded({ chunks, owned: false }, '[', ']');
}
