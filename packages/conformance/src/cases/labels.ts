import { equal, holds, present } from '../expect.ts';
import { failure } from '../failure.ts';
import { LABEL_ORDER } from '../fixture/snapshot.ts';
import { send } from '../send.ts';
import { shapes, summary } from '../shapes.ts';
import { envelope, read, readPage } from '../success.ts';
import { type ConformanceCase, section } from '../target.ts';

interface Label {
  readonly id: string;
  readonly name: string;
  readonly blogId: string;
  readonly _count: { readonly posts: number };
}

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/** Sections 4.2 and 4.3 say the same of categories and tags. */
function casesOf(number: '4.2' | '4.3', kind: 'categories' | 'tags'): readonly ConformanceCase[] {
  const promised = section({ section: number });
  const seeded = section({ section: number, needs: ['snapshot'] });
  const decided = section({ section: 'decided', needs: ['snapshot'] });
  const root = `/public/${kind}`;
  const shape = kind === 'tags' ? shapes.tag : shapes.category;
  const all = (target: Parameters<ConformanceCase['run']>[0]) => read<Label[]>(target, root);

  return [
    promised(`all ${kind} of the blog come in the success envelope`, async (target) => {
      const { data } = envelope<Label[]>(await send(target, root));
      for (const [index, label] of data.entries()) shape(label, `${kind}.${index}`);
    }),
    promised(`one of the ${kind} is read by its id`, async (target) => {
      for (const label of (await all(target)).slice(0, 5)) {
        equal(await read(target, `${root}/${encodeURIComponent(label.id)}`), label, label.id);
      }
    }),
    promised(`what is not among the ${kind} is 404, and so are its posts`, async (target) => {
      failure(await send(target, `${root}/no-such-thing-3b1f`), 'NOT_FOUND');
      failure(await send(target, `${root}/no-such-thing-3b1f/posts`), 'NOT_FOUND');
    }),
    promised(`posts of one of the ${kind} are published posts in pages`, async (target) => {
      for (const label of (await all(target)).slice(0, 3)) {
        const { items } = await readPage<{ id: string }>(target, `${root}/${encodeURIComponent(label.id)}/posts`);
        for (const [index, item] of items.entries()) summary(item, `posts of ${label.id}.${index}`);
      }
    }),
    seeded(`the ${kind} of another blog are not to be seen`, async (target) => {
      const key = target.otherKey ?? '';
      const other = await read<Label[]>(target, root, { key });
      equal(
        other.map(({ id, name, _count }) => [id, name, _count.posts]),
        [['many', 'Other many', 1]],
        'other blog',
      );
      failure(await send(target, `${root}/zebra`, { key }), 'NOT_FOUND');
      failure(await send(target, `${root}/zebra/posts`, { key }), 'NOT_FOUND');
      const mine = present(
        (await all(target)).find(({ id }) => id === 'many'),
        'many',
      );
      holds(mine.name === 'Many' && mine.blogId !== other[0]?.blogId, 'each blog has its own');
    }),
    decided(`${kind} are ordered by folded name, then id`, async (target) => {
      equal(ids(await all(target)), LABEL_ORDER, 'order');
    }),
    decided(`_count.posts of the ${kind} leaves drafts and scheduled posts out`, async (target) => {
      const counts = Object.fromEntries((await all(target)).map(({ id, _count }) => [id, _count.posts]));
      equal([counts['many'], counts['only-hidden'], counts['empty']], [23, 0, 0], 'many, only-hidden, empty');
      equal((await read<Label>(target, `${root}/only-hidden`))._count, { posts: 0 }, 'by id');
      equal((await readPage(target, `${root}/only-hidden/posts`)).items, [], 'posts');
    }),
    decided(`posts of the ${kind} keep the order of posts, newest first`, async (target) => {
      const { items } = await readPage<{ id: string }>(target, `${root}/many/posts?pageSize=4`);
      equal(ids(items), ['post-23', 'post-22', 'post-21', 'post-20'], 'order');
    }),
  ];
}

/** Sections 4.2 and 4.3: categories and tags. */
export const labelCases = [...casesOf('4.2', 'categories'), ...casesOf('4.3', 'tags')];
