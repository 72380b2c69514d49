import type { Pagination, Post, PostSummary, Tag } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { conforms } from '../shapes.ts';
import { envelope, read, readPage } from '../success.ts';
import { agree, folded, ids, inOrder, near, spread, survey, telling } from '../survey.ts';
import { type ConformanceCase, section, type Target, Unchecked } from '../target.ts';
import { NOT_INTEGERS } from './pagination.ts';

/** Categories and tags have the same rules, in two sections. */
const KINDS = [
  { kind: 'categories', number: '4.2' },
  { kind: 'tags', number: '4.3' },
] as const;
type Kind = (typeof KINDS)[number];

const decided = section({ section: 'decided' });
const listOf = (kind: string, { id }: { readonly id: string }) => `/public/${kind}/${encodeURIComponent(id)}/posts`;
const all = (target: Target, kind: string) => read<Tag[]>(target, `/public/${kind}`);

/** The labels of a blog, each with the posts that carry it. */
async function withPosts(target: Target, kind: Kind['kind']) {
  const found = await survey(target);
  if (found[kind].length === 0) throw new Unchecked(`the blog has no ${kind}`);
  return found[kind].map(({ id }) => {
    return { id, posts: inOrder(found.posts.filter((post) => ids(post[kind]).includes(id))) };
  });
}

async function mostUsed(target: Target, kind: Kind['kind']) {
  const [most] = (await withPosts(target, kind)).sort((one, two) => two.posts.length - one.posts.length);
  if (!most || most.posts.length === 0) throw new Unchecked(`none of the ${kind} has a post`);
  return { list: listOf(kind, most), posts: most.posts };
}

/** Checks that no category or tag has an id, and that there are no posts below it. */
async function isUnknown(target: Target, kind: Kind['kind'], id: string): Promise<void> {
  failure(await send(target, `/public/${kind}/${encodeURIComponent(id)}`), 'NOT_FOUND');
  failure(await send(target, listOf(kind, { id })), 'NOT_FOUND');
}

/** The categories or tags themselves. */
function labelCasesOf({ kind, number }: Kind): readonly ConformanceCase[] {
  const promised = section({ section: number });
  const seeded = section({ section: number, needs: ['snapshot'] });
  const root = `/public/${kind}`;
  return [
    promised(`all ${kind} of the blog come in the success envelope`, async (target) => {
      const { data } = envelope<Tag[]>(await send(target, root));
      conforms(MESSAGES[`${kind}.list`].data, data, kind);
    }),
    promised(`one of the ${kind} is read by its id`, async (target) => {
      for (const label of telling(await all(target, kind))) {
        equal(await read(target, `${root}/${encodeURIComponent(label.id)}`), label, label.id);
      }
    }),
    promised(`an unknown id of the ${kind} is 404, and so are its posts`, async (target) => {
      const { categories, tags } = await survey(target);
      const known = ids(kind === 'tags' ? tags : categories);
      const others = ids(spread(kind === 'tags' ? categories : tags, 3)).filter((id) => !known.includes(id));
      for (const id of ['no-such-thing-3b1f', ...others]) await isUnknown(target, kind, id);
    }),
    decided(`the ${kind} are ordered by folded name, then id`, async (target) => {
      const labels = await all(target, kind);
      const key = ({ id, name }: Tag) => `${folded(name)}\u0000${id}`;
      const sorted = [...labels].sort((one, two) => (key(one) < key(two) ? -1 : 1));
      equal(ids(labels), ids(sorted), 'order');
    }),
    promised(`_count.posts of the ${kind} is the number of published posts that carry them`, async (target) => {
      const counts = (await all(target, kind)).map(({ id, _count }) => [id, _count.posts]);
      const expected = (await withPosts(target, kind)).map(({ id, posts }) => [id, posts.length]);
      equal(counts, expected, 'counts');
    }),
    decided(`an id of the ${kind} is matched exactly`, async (target) => {
      const known = new Set(ids(await all(target, kind)));
      for (const label of (await all(target, kind)).slice(0, 3)) {
        const others = [...near(label.id), label.name].filter((one) => one.trim() && !known.has(one));
        for (const id of others) await isUnknown(target, kind, id);
      }
    }),
    seeded(`the ${kind} of another blog are not visible`, async (target) => {
      const key = target.otherKey ?? '';
      const other = await read<Tag[]>(target, root, { key });
      const counts = other.map(({ id, name, _count }) => [id, name, _count.posts]);
      equal(counts, [['many', 'Other many', 1]], 'other blog');
      await isUnknown({ ...target, apiKey: key }, kind, 'zebra');
      const mine = (await all(target, kind)).find(({ id }) => id === 'many');
      holds(mine?.name === 'Many' && mine.blogId !== other[0]?.blogId, 'each blog has its own');
    }),
  ];
}

/** The expected `meta.pagination` of a page. */
function paginationOf(total: number, page: number, pageSize: number): Pagination {
  const totalPages = Math.ceil(total / pageSize);
  return { page, pageSize, total, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** Reads all pages of a list, checks each of them, and returns the ids of their posts. */
async function readPages(target: Target, list: string, posts: readonly Post[]): Promise<string[]> {
  // The document names no maximum of pageSize: only the default is valid on every server.
  const pageSize = Math.min(target.documentOnly ? 10 : 99, Math.max(1, Math.ceil(posts.length / 3)));
  const found: string[] = [];
  for (let page = 1; page <= Math.max(1, Math.ceil(posts.length / pageSize)); page += 1) {
    const path = `${list}?page=${page}&pageSize=${pageSize}`;
    const { items, pagination } = await readPage<Post>(target, path);
    equal(pagination, paginationOf(posts.length, page, pageSize), `${path}: pagination`);
    for (const item of items) agree(item, posts, path);
    found.push(...ids(items));
  }
  return found;
}

/** Section 4.6: the posts of a category or tag, in pages. */
function pageCasesOf({ kind, number }: Kind): readonly ConformanceCase[] {
  const promised = section({ section: number });
  return [
    promised(`all posts of one of the ${kind} are published`, async (target) => {
      for (const label of (await all(target, kind)).slice(0, 3)) {
        const { items } = await readPage<PostSummary>(target, listOf(kind, label));
        conforms(MESSAGES[`${kind}.posts`].data, items, `posts of ${label.id}`);
        const hidden = items.filter(({ status }) => status !== 'PUBLISHED');
        equal(ids(hidden), [], `posts of ${label.id} that are not published`);
      }
    }),
    promised(`pages of the posts of the ${kind} add up to the posts that carry them`, async (target) => {
      for (const { id, posts } of telling(await withPosts(target, kind))) {
        const list = listOf(kind, { id });
        const found = await readPages(target, list, posts);
        // The document does not specify the order.
        const compared = (listed: readonly string[]) => (target.documentOnly ? [...listed].sort() : listed);
        equal(compared(found), compared(ids(posts)), `the pages of ${list}`);
      }
    }),
    promised(`the default page of the ${kind} is the first, with ten posts`, async (target) => {
      const { list, posts } = await mostUsed(target, kind);
      const { items, pagination } = await readPage<Post>(target, list);
      if (!target.documentOnly) equal(ids(items), ids(posts.slice(0, 10)), `${list}: posts`);
      equal(pagination, paginationOf(posts.length, 1, 10), `${list}: pagination`);
      if (posts.length <= 10) return;
      const second = await readPage<Post>(target, `${list}?page=2`);
      equal(second, await readPage(target, `${list}?page=2&pageSize=10`), `${list}: the second page`);
    }),
    decided(
      `a page of the ${kind} past the end is 200 and empty; pageSize is 1 to 100, page at least 1`,
      async (target) => {
        const { list, posts } = await mostUsed(target, kind);
        const page = posts.length + 7;
        const last = await readPage(target, `${list}?page=${page}&pageSize=1`);
        equal(last, { items: [], pagination: paginationOf(posts.length, page, 1) }, 'a page past the end');
        equal((await readPage(target, `${list}?page=3000000000`)).items, [], 'past 32 bits');
        const { items } = await readPage<Post>(target, `${list}?pageSize=100`);
        equal(ids(items), ids(posts.slice(0, 100)), 'a page of 100');
        for (const pageSize of ['0', '101']) refuses(await send(target, `${list}?pageSize=${pageSize}`), 'pageSize');
        refuses(await send(target, `${list}?page=0&pageSize=101`), 'page', 'pageSize');
      },
    ),
    decided(`a bad page of an unknown id of the ${kind} is 400`, async (target) => {
      refuses(await send(target, `${listOf(kind, { id: 'no-such-thing-3b1f' })}?page=0`), 'page');
    }),
    decided(`page and pageSize of the ${kind} consist of digits only and are given once`, async (target) => {
      const { list } = await mostUsed(target, kind);
      for (const name of ['page', 'pageSize']) {
        for (const value of NOT_INTEGERS) refuses(await send(target, `${list}?${name}=${value}`), name);
        refuses(await send(target, `${list}?${name}=1&${name}=2`), name);
      }
    }),
  ];
}

/** Sections 4.2 and 4.3: categories and tags. */
export const labelCases = KINDS.flatMap((kind) => [...labelCasesOf(kind), ...pageCasesOf(kind)]);
