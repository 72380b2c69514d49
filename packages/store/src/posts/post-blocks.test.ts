import { decoded, type Encoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { createPostBlocks } from './post-blocks.ts';

const list = { blogId: 'b' };
const posts = Array.from({ length: 25 }, (_, index) => JSON.stringify({ id: `p${index} é` }));

/** Pages over rows that are counted, as a database gives them that joins them or does not. */
function pagesOver({ joined, maxBytes = 100_000 }: { joined: boolean; maxBytes?: number }) {
  const reads: string[] = [];
  const page = createPostBlocks(
    {
      async page(_, { skip }, count) {
        reads.push(`${count} from ${skip}`);
        const found = posts.slice(skip, skip + count);
        const sizes = found.map((post) => Buffer.byteLength(post));
        if (!joined) return found.map((post, index) => ({ posts: post, sizes: sizes[index] ?? 0 }));
        return [{ posts: new TextEncoder().encode(found.join(',')), sizes: sizes.join(',') || null }];
      },
      keysBelow: async () => [],
    },
    async (_, __, skip) => ({ from: '', skip }),
    maxBytes,
  );
  const ids = async (offset: number, limit: number, revision = '1') =>
    (decoded(await page(list, revision, { offset, limit })) as unknown as { id: string }[]).map(({ id }) => id);
  return { reads, page, ids };
}

const expected = (offset: number, limit: number) =>
  Array.from({ length: 25 }, (_, index) => `p${index} é`).slice(offset, offset + limit);

test.each([true, false])('every page is right, read for the first time or again (joined: %s)', async (joined) => {
  for (let offset = 0; offset < 28; offset += 1) {
    for (const limit of [1, 2, 9, 10, 11, 25, 100]) {
      const { ids } = pagesOver({ joined });
      expect(await ids(offset, limit)).toEqual(expected(offset, limit));
      expect(await ids(offset, limit)).toEqual(expected(offset, limit));
    }
  }
});

test('the database reads each post once, and only what is missing', async () => {
  const { ids, reads } = pagesOver({ joined: true });
  await ids(10, 10);
  expect(reads).toEqual(['10 from 10']);
  await ids(13, 4);
  expect(reads).toHaveLength(1);
  await ids(5, 20);
  // The block that is there lies between two that are missing: one read brings all three.
  expect(reads.slice(1)).toEqual(['30 from 0']);
  await ids(0, 25);
  expect(reads).toHaveLength(2);
});

test('another revision is read anew', async () => {
  const { ids, reads } = pagesOver({ joined: true });
  await ids(0, 10, '1');
  await ids(0, 10, '2');
  expect(reads).toHaveLength(2);
});

test('what is cached is bounded', async () => {
  const { ids, reads } = pagesOver({ joined: true, maxBytes: 1000 });
  await ids(0, 10);
  expect(await ids(0, 10)).toEqual(expected(0, 10));
  expect(reads).toHaveLength(2);
});

test('a page that is cached is given at once, as views of what others share', async () => {
  const { page, ids } = pagesOver({ joined: true });
  await ids(0, 20);
  const cached = page(list, '1', { offset: 5, limit: 10 }) as Encoded<unknown>;
  expect(cached).not.toBeInstanceOf(Promise);
  const chunks = cached.json as readonly Uint8Array[];
  expect(chunks).toHaveLength(2);
  for (const chunk of chunks) expect(chunk.byteLength).toBeLessThan(chunk.buffer.byteLength);
});

test('no page hands out the memory of a block, not even one that takes the whole of it', async () => {
  const { page } = pagesOver({ joined: true });
  for (const limit of [9, 10, 11, 20, 25]) {
    const { json } = await page(list, '1', { offset: 0, limit });
    for (const chunk of json as readonly Uint8Array[]) expect(chunk.byteLength).toBeLessThan(chunk.buffer.byteLength);
  }
});
