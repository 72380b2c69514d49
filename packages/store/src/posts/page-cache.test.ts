import { decoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { createPageCache } from './page-cache.ts';
import { type PostLists, STEP, TOP } from './post-lists.ts';

const list = { blogId: 'b' };
const ids = Array.from({ length: 25 }, (_, index) => `p${index} é`);
const rows = ids.map((id, index) => ({ post: `${JSON.stringify({ id })},`, sort_key: `key ${99 - index}` }));

/** Pages over 25 rows, which the database returns as bytes or as strings, and a record of its reads. */
function pages({ bytes = true, maxBytes = 100_000 } = {}) {
  const reads: string[] = [];
  const readPosts: PostLists['readPosts'] = async (_, { below, skip }, count) => {
    const from = skip + (below === TOP ? 0 : rows.findIndex(({ sort_key }) => sort_key === below) + 1);
    reads.push(`${count} from ${from}${below === TOP ? '' : ' by key'}`);
    const found = rows.slice(from, from + count);
    return bytes ? found.map((row) => ({ ...row, post: new TextEncoder().encode(row.post) })) : found;
  };
  const page = createPageCache({ readPosts, readSteps: async () => [] }, maxBytes);
  const idsOf = async (offset: number, limit: number, revision = '1') =>
    decoded(await page(list, revision, { offset, limit })).map(({ id }) => id);
  return { reads, page, idsOf };
}

test.each([true, false])(
  'a page contains the posts of its range, read from the database or cached (bytes: %s)',
  async (bytes) => {
    for (let offset = 0; offset < 28; offset += 1) {
      for (const limit of [1, 2, 9, 10, 11, 25, 100]) {
        const { idsOf } = pages({ bytes });
        const expected = ids.slice(offset, offset + limit);
        expect(await idsOf(offset, limit)).toEqual(expected);
        expect(await idsOf(offset, limit)).toEqual(expected);
      }
    }
  },
);

test('pages that overlap read each post from the database once', async () => {
  const { idsOf, reads } = pages();
  await idsOf(10, 10);
  await idsOf(13, 4);
  expect(reads).toEqual(['10 from 10']);
  // A read begins with the first missing post.
  await idsOf(13, 12);
  expect(reads.slice(1)).toEqual(['10 from 20 by key']);
  await idsOf(10, 15);
  expect(reads).toHaveLength(2);
});

test('reading a small page also caches its neighbours', async () => {
  const { idsOf, reads } = pages();
  for (const offset of [0, 2, 4, 6, 8]) await idsOf(offset, 2);
  expect(reads).toEqual(['10 from 0']);
});

test('the next page starts at the last key of the previous one, and skips no rows', async () => {
  const { idsOf, reads } = pages();
  for (const offset of [0, 10, 20]) expect(await idsOf(offset, 10)).toEqual(ids.slice(offset, offset + 10));
  expect(reads).toEqual(['10 from 0', '10 from 10 by key', '10 from 20 by key']);
});

test('another revision is read again', async () => {
  const { idsOf, reads } = pages();
  await idsOf(0, 10, '1');
  await idsOf(0, 10, '2');
  expect(reads).toHaveLength(2);
});

test('the cache holds no more than its bytes', async () => {
  const { idsOf, reads } = pages({ maxBytes: 1000 });
  await idsOf(0, 10);
  expect(await idsOf(0, 10)).toEqual(ids.slice(0, 10));
  expect(reads).toHaveLength(2);
});

test('the cache keeps the memory of a page', async () => {
  const { page, idsOf } = pages();
  await idsOf(0, 20);
  expect(await page(list, '1', { offset: 5, limit: 10 })).toMatchObject({ json: { owned: false } });
});

test('deep pages skip at most one step, and the steps of a revision are read once', async () => {
  const skipped: number[] = [];
  let reads = 0;
  const page = createPageCache({
    async readPosts(_, { below, skip }) {
      skipped.push((below === TOP ? 0 : Number(below) + 1) + skip);
      expect(skip).toBeLessThan(STEP);
      return [];
    },
    async readSteps() {
      reads += 1;
      return ['0', `${STEP}`, `${2 * STEP}`, `${3 * STEP}`];
    },
  });
  for (const offset of [3000, 1010, 2000, 3990]) await page(list, '1', { offset, limit: 10 });
  expect(skipped).toEqual([3000, 1010, 2000, 3990]);
  expect(reads).toBe(1);
  await page(list, '2', { offset: 3000, limit: 10 });
  expect(reads).toBe(2);
});
