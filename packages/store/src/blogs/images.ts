import { LIMITS } from '@broadsheet/contract';
import type { Image, ImagePath, StoredImage } from '@broadsheet/core';
import sql, { join } from 'sql-template-tag';
import type { Database } from '../database.ts';
import { chunks, type Db, insert } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { doStep } from '../turns.ts';
import { requireRoom } from './clashes.ts';

/**
 * The number of bytes in a row. Reading a row must not delay other requests, and a slow client must not hold more in
 * memory.
 */
const PART_BYTES = 256 * 1024;
const HASHES = 500;

/** The images of blogs. */
export function createImages({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** The hashes of the images that a blog does not have. */
    async missingImages(blogId: string, hashes: readonly string[]): Promise<readonly string[]> {
      const known = new Set<string>();
      for (const some of chunks(hashes, HASHES)) {
        const found = await reader<{ hash: string }>`select hash from images
          where blog_id = ${blogId} and hash in (${join(some)}) and part = 0`;
        for (const { hash } of found) known.add(hash);
      }
      return hashes.filter((hash) => !known.has(hash));
    },
    /** Stores an image of a blog, even before the blog itself is imported. A blog stores each image once. */
    putImage: (blogId: string, { hash, extension, bytes }: Image): Promise<void> =>
      transact(async (db) => {
        for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
          const some = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
          const row = { blog_id: blogId, hash, part, extension, size: bytes.length, bytes: some };
          await insert(db, 'images', [row], sql`on conflict do nothing`);
        }
        await requireRoom(db, blogId, 'images', LIMITS.images);
      }),
    /** The image at a path, from any blog that has it. */
    async findImage(path: ImagePath): Promise<StoredImage | undefined> {
      const { hash, extension } = path;
      const [row] = await reader<Pick<Tables['images'], 'blog_id' | 'size'>>`select blog_id, size from images
        where hash = ${hash} and extension = ${extension} and part = 0 limit 1`;
      return row && { ...path, size: row.size, parts: () => readParts(reader, row.blog_id, hash) };
    },
  };
}

async function* readParts(db: Db, blogId: string, hash: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let part = 0; ; part += 1) {
    // A fast client takes each part immediately, so without a pause, other requests would wait for the whole image.
    const [row] = await doStep(
      () => db<Pick<Tables['images'], 'bytes' | 'size'>>`
        select bytes, size from images where blog_id = ${blogId} and hash = ${hash} and part = ${part}`,
    );
    if (!row) throw new Error(`The image ${hash} was removed while it was being read.`);
    // A Durable Object returns an ArrayBuffer.
    yield new Uint8Array(row.bytes);
    if ((part + 1) * PART_BYTES >= row.size) return;
  }
}
