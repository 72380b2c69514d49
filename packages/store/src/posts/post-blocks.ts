import type { Post } from '@broadsheet/contract';
import { type Awaitable, Encoded, type Range } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import type { FindPlace } from './list-anchors.ts';
import type { PostList, PostLists, PostRow } from './post-lists.ts';

/** Reads pages of lists, each as it was at one revision of its blog. */
export type ReadPage = (list: PostList, revision: string, range: Range) => Awaitable<Encoded<readonly Post[]>>;

/** Bytes that are cached by default. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Posts of a block: pages of as many, the usual ones, are a block each. */
const SIZE = 10;
/** What a block needs beside its bytes, about. */
const OVERHEAD = 500;
const COMMA = 0x2c;
const encoder = new TextEncoder();

/** Posts that follow each other in a list. */
interface Block {
  /** Each post as JSON with a comma behind it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the comma of each post is. */
  readonly ends: readonly number[];
}

/**
 * Reads pages through a cache of blocks, up to a number of bytes. Pages that overlap share them, whatever their offset
 * and limit: the database reads a post once for all of them, and a page is views of its blocks, not a copy.
 */
export function createPostBlocks({ page: readRows }: PostLists, placeOf: FindPlace, maxBytes = MAX_BYTES): ReadPage {
  const cached = new LRUCache<string, Block>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 8,
    sizeCalculation: ({ bytes }) => bytes.byteLength + OVERHEAD,
  });

  async function read(list: PostList, revision: string, first: number, count: number): Promise<readonly Block[]> {
    const place = await placeOf(list, revision, first * SIZE);
    return toBlocks(await readRows(list, place, count * SIZE), count);
  }

  return (list, revision, { offset, limit }) => {
    const first = Math.floor(offset / SIZE);
    const count = Math.floor((offset + limit - 1) / SIZE) - first + 1;
    const start = offset - first * SIZE;
    const key = JSON.stringify([list.blogId, revision, list.label?.kind, list.label?.id]);
    const found = Array.from({ length: count }, (_, index) => cached.get(`${first + index} ${key}`));
    const from = found.indexOf(undefined);
    if (from === -1) return pageOf(found as Block[], start, limit);
    const missing = found.lastIndexOf(undefined) - from + 1;
    return read(list, revision, first + from, missing).then((blocks) => {
      for (const [index, block] of blocks.entries()) {
        found[from + index] = block;
        cached.set(`${first + from + index} ${key}`, block);
      }
      return pageOf(found as Block[], start, limit);
    });
  };
}

/** Cuts rows that follow each other into blocks. */
function toBlocks(rows: readonly PostRow[], count: number): readonly Block[] {
  const sizes = rows.flatMap((row) => (row.sizes === null ? [] : String(row.sizes).split(',').map(Number)));
  const posts = rows.length === 1 && rows[0] ? rows[0].posts : rows.map((row) => row.posts).join(',');
  const bytes = typeof posts === 'string' ? encoder.encode(posts) : posts;
  let at = 0;
  return Array.from({ length: count }, (_, index) => {
    const start = at;
    const ends = sizes.slice(index * SIZE, (index + 1) * SIZE).map((size) => {
      const end = at + size;
      at = end + 1;
      return end - start;
    });
    // A byte more than it has: a chunk that is the whole of its buffer would belong to whoever receives it.
    const block = new Uint8Array(new ArrayBuffer(at - start + 1), 0, at - start);
    block.set(bytes.subarray(start, at));
    if (at > start) block[at - start - 1] = COMMA;
    return { bytes: block, ends };
  });
}

/** Views of the posts of a page: `limit` of them from the one at `start`, or those there are. */
function pageOf(blocks: readonly Block[], start: number, limit: number): Encoded<readonly Post[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let skip = start;
  let left = limit;
  for (const { bytes, ends } of blocks) {
    const taken = Math.min(ends.length - skip, left);
    if (taken <= 0) break;
    const [begin, end] = [skip === 0 ? 0 : (ends[skip - 1] ?? 0) + 1, ends[skip + taken - 1] ?? 0];
    chunks.push(bytes.subarray(begin, end + 1));
    left -= taken;
    skip = 0;
  }
  const last = chunks.pop();
  // Behind the last post stands no comma.
  if (last) chunks.push(last.subarray(0, -1));
  return new Encoded(chunks, '[', ']');
}
