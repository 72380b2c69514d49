import { LIMITS } from '@broadsheet/contract';
import type { Image, ImagePath, StoredImage } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';
import { doStep } from '../turns.ts';
import { requireRoom } from './clashes.ts';

/** Bytes in a row: reading one must not delay other requests, and a slow client must not hold more in memory. */
const PART_BYTES = 256 * 1024;
const HASHES = 500;

/** The images of blogs. */
export function createImages({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  const firstParts = reader.selectFrom('images').where('part', '=', 0);
  return {
    /** The hashes of the images that a blog does not have. */
    async missingImages(blogId: string, hashes: readonly string[]): Promise<readonly string[]> {
      const known = new Set<string>();
      for (const some of chunks(hashes, HASHES)) {
        const found = firstParts.select('hash').where('blog_id', '=', blogId).where('hash', 'in', some);
        for (const { hash } of await found.execute()) known.add(hash);
      }
      return hashes.filter((hash) => !known.has(hash));
    },
    /** Stores an image of a blog, which may be imported afterwards. A blog has each image once. */
    putImage: (blogId: string, { hash, extension, bytes }: Image): Promise<void> =>
      transact(async (db) => {
        for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
          const some = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
          const row = { blog_id: blogId, hash, part, extension, size: bytes.length, bytes: some };
          await db
            .insertInto('images')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await requireRoom(db, blogId, 'images', LIMITS.images);
      }),
    /** The image at a path, from any blog that has it. */
    async findImage(path: ImagePath): Promise<StoredImage | undefined> {
      const { hash, extension } = path;
      const found = firstParts.where('hash', '=', hash).where('extension', '=', extension);
      const row = await found.select(['blog_id', 'size']).limit(1).executeTakeFirst();
      return row && { ...path, size: row.size, parts: () => readParts(reader, row.blog_id, hash) };
    },
  };
}

async function* readParts(db: Kysely<Tables>, blogId: string, hash: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let part = 0; ; part += 1) {
    const query = sql<Pick<Tables['images'], 'bytes' | 'size'>>`
      select bytes, size from images where blog_id = ${blogId} and hash = ${hash} and part = ${part}`;
    // A fast client takes each part at once, so without a pause, other requests would wait for the whole image.
    const { rows } = await doStep(() => query.execute(db));
    const [row] = rows;
    if (!row) throw new Error(`The image ${hash} was removed while it was read.`);
    // A Durable Object returns an ArrayBuffer.
    yield new Uint8Array(row.bytes);
    if ((part + 1) * PART_BYTES >= row.size) return;
  }
}
