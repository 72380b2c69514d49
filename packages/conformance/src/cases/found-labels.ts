import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { type Pagination, read, readPage } from '../success.ts';
import { folded, inOrder, type SurveyedLabel, type SurveyedPost, spread, survey } from '../survey.ts';
import { type ConformanceCase, section, type Target, Unchecked } from '../target.ts';
import { NOT_INTEGERS } from './pagination.ts';

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/** What `meta.pagination` of a page says by its own arithmetic. */
function paginationOf(total: number, page: number, pageSize: number): Pagination {
  const totalPages = Math.ceil(total / pageSize);
  return { page, pageSize, total, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** Sections 4.2, 4.3 and 4.6 on any blog. */
function casesOf(number: '4.2' | '4.3', kind: 'categories' | 'tags'): readonly ConformanceCase[] {
  const promised = section({ section: number });
  const decided = section({ section: 'decided' });
  const root = `/public/${kind}`;
  const listOf = ({ id }: SurveyedLabel) => `${root}/${encodeURIComponent(id)}/posts`;
  const withPosts = async (target: Target) => {
    const found = await survey(target);
    if (found[kind].length === 0) throw new Unchecked(`the blog has no ${kind}`);
    return found[kind].map((label) => {
      const posts = found.posts.filter((post) => ids(post[kind]).includes(label.id));
      return { label, posts: inOrder(posts) };
    });
  };
  /** A few of them, the most used and an unused one among them where there is one. */
  const some = async (target: Target) => {
    const all = await withPosts(target);
    const byUse = [...all].sort((one, two) => two.posts.length - one.posts.length);
    return spread(byUse, 5);
  };
  const mostUsed = async (target: Target) => {
    const [most] = await some(target);
    if (!most || most.posts.length === 0) throw new Unchecked(`none of the ${kind} has a post`);
    return { label: most.label, posts: most.posts };
  };

  return [
    promised(`pages of the posts of the ${kind} add up to the posts that carry them`, async (target) => {
      for (const { label, posts } of await some(target)) {
        const pageSize = Math.min(99, Math.max(1, Math.ceil(posts.length / 3)));
        const found: string[] = [];
        for (let page = 1; page <= Math.max(1, Math.ceil(posts.length / pageSize)); page += 1) {
          const path = `${listOf(label)}?page=${page}&pageSize=${pageSize}`;
          const { items, pagination } = await readPage<SurveyedPost>(target, path);
          equal(pagination, paginationOf(posts.length, page, pageSize), `${path}: pagination`);
          found.push(...ids(items));
        }
        equal(found, ids(posts), `${listOf(label)} in pages of ${pageSize}`);
      }
    }),
    promised(`a page of the ${kind} is the first with ten posts when nothing is said`, async (target) => {
      const { label, posts } = await mostUsed(target);
      const { items, pagination } = await readPage<SurveyedPost>(target, listOf(label));
      equal(ids(items), ids(posts.slice(0, 10)), `${listOf(label)}: posts`);
      equal(pagination, paginationOf(posts.length, 1, 10), `${listOf(label)}: pagination`);
    }),
    decided(`pages of the ${kind}: past the end 200 and empty, pageSize 1 to 100, page from 1`, async (target) => {
      const { label, posts } = await mostUsed(target);
      const list = listOf(label);
      for (const [page, pageSize] of [
        [posts.length + 7, 1],
        [1, 100],
        [1, 1],
      ] as const) {
        const { items, pagination } = await readPage<SurveyedPost>(target, `${list}?page=${page}&pageSize=${pageSize}`);
        equal(ids(items), ids(posts.slice((page - 1) * pageSize, page * pageSize)), `page ${page} of ${pageSize}`);
        equal(pagination, paginationOf(posts.length, page, pageSize), `pagination of page ${page} of ${pageSize}`);
      }
      for (const pageSize of ['0', '101']) refuses(await send(target, `${list}?pageSize=${pageSize}`), 'pageSize');
      refuses(await send(target, `${list}?page=0&pageSize=101`), 'page', 'pageSize');
      for (const name of ['page', 'pageSize']) {
        for (const value of NOT_INTEGERS) refuses(await send(target, `${list}?${name}=${value}`), name);
        refuses(await send(target, `${list}?${name}=1&${name}=2`), name);
      }
    }),
    decided(`the ${kind} that are found are ordered by folded name, then id`, async (target) => {
      const labels = (await withPosts(target)).map(({ label }) => label);
      const key = ({ id, name }: SurveyedLabel) => `${folded(name)}\u0000${id}`;
      const sorted = [...labels].sort((one, two) => (key(one) < key(two) ? -1 : 1));
      equal(ids(labels), ids(sorted), 'order');
    }),
    promised(`_count.posts of all ${kind} is the number of posts that carry them`, async (target) => {
      const counts = await read<{ id: string; _count: { posts: number } }[]>(target, root);
      const expected = (await withPosts(target)).map(({ label, posts }) => [label.id, posts.length]);
      equal(
        counts.map(({ id, _count }) => [id, _count.posts]),
        expected,
        'counts',
      );
    }),
    decided(`an id of the ${kind} is matched whole, letter for letter`, async (target) => {
      const known = new Set((await withPosts(target)).map(({ label }) => label.id));
      for (const { label } of (await some(target)).slice(0, 2)) {
        const { id } = label;
        for (const near of [
          id.toUpperCase(),
          id.toLowerCase(),
          `${id}x`,
          id.slice(0, -1),
          `${id.slice(0, -1)}_`,
          '%',
        ]) {
          if (near.trim() === '' || known.has(near)) continue;
          failure(await send(target, `${root}/${encodeURIComponent(near)}`), 'NOT_FOUND');
          failure(await send(target, `${root}/${encodeURIComponent(near)}/posts`), 'NOT_FOUND');
        }
      }
    }),
  ];
}

/** Sections 4.2 and 4.3: categories and tags, as they are found. */
export const foundLabelCases = [...casesOf('4.2', 'categories'), ...casesOf('4.3', 'tags')];
