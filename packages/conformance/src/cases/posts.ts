import { equal, holds, present } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { PUBLISHED } from '../fixture/posts.ts';
import { send } from '../send.ts';
import { shapes } from '../shapes.ts';
import { envelope, read } from '../success.ts';
import { section } from '../target.ts';

interface Post {
  readonly id: string;
  readonly slug: string;
  readonly blogId: string;
}

const promised = section({ section: '4.1' });
const seeded = section({ section: '4.1', needs: ['snapshot'] });
const ids = (posts: readonly { id: string }[]) => posts.map(({ id }) => id);

/** Section 4.1: posts. */
export const postCases = [
  promised('posts come in the success envelope without meta, with the fields of a Post', async (target) => {
    const { data } = envelope<Post[]>(await send(target, '/public/posts?limit=100'));
    for (const [index, post] of data.entries()) shapes.post(post, `posts.${index}`);
    equal(new Set(data.map(({ blogId }) => blogId)).size <= 1, true, 'all posts belong to one blog');
  }),
  promised('limit is 10 and offset is 0 when they are left out', async (target) => {
    const posts = await read(target, '/public/posts');
    equal(posts, await read(target, '/public/posts?limit=10&offset=0&status=PUBLISHED'), 'posts');
  }),
  promised('a post that does not exist is 404', async (target) => {
    failure(await send(target, '/public/posts/no-such-post-3b1f'), 'NOT_FOUND');
    failure(await send(target, '/public/posts/slug/no-such-post-3b1f'), 'NOT_FOUND');
  }),
  promised('limit goes from 1 to 100', async (target) => {
    holds((await read<Post[]>(target, '/public/posts?limit=1')).length <= 1, 'limit=1 gives one post at most');
    holds((await read<Post[]>(target, '/public/posts?limit=100')).length <= 100, 'limit=100 gives 100 at most');
    for (const limit of ['0', '101', '1000']) refuses(await send(target, `/public/posts?limit=${limit}`), 'limit');
  }),
  promised('the only accepted status is PUBLISHED', async (target) => {
    for (const status of ['DRAFT', 'SCHEDULED', 'published', '', 'ALL']) {
      refuses(await send(target, `/public/posts?status=${status}`), 'status');
    }
  }),
  promised('offset skips that many posts; past the end the list is empty', async (target) => {
    const first = await read<Post[]>(target, '/public/posts?limit=9');
    for (const offset of [1, 4, 8]) {
      const rest = await read<Post[]>(target, `/public/posts?limit=${9 - offset}&offset=${offset}`);
      equal(ids(rest), ids(first).slice(offset), `posts from ${offset}`);
    }
    equal(await read(target, '/public/posts?offset=900000000'), [], 'far past the end');
  }),
  seeded('every published post is listed once, and the end is a batch shorter than limit', async (target) => {
    const found: string[] = [];
    for (let offset = 0; ; offset += 7) {
      const batch = await read<Post[]>(target, `/public/posts?limit=7&offset=${offset}`);
      found.push(...ids(batch));
      if (batch.length < 7) break;
    }
    equal(new Set(found).size, found.length, 'no post twice');
    equal(found.length, PUBLISHED, 'published posts');
    equal(found.slice(0, 3), ['tie-c', 'tie-b', 'tie-a'], 'tied posts');
    equal(found.slice(-2), ['undated-b', 'undated-a'], 'undated posts');
  }),
  seeded('a post carries exactly what was written', async (target) => {
    const post = await read<Record<string, unknown>>(target, '/public/posts/post-07');
    const { createdAt, updatedAt, blogId, ...rest } = post;
    const name = { id: 'many', name: 'Many', blogId };
    equal(
      rest,
      {
        id: 'post-07',
        title: 'Numbered 7',
        subtitle: 'The day 7',
        content: '<p>Only the text says marmalade 7.</p>',
        slug: 'numbered-7',
        status: 'PUBLISHED',
        publishedAt: '2025-01-07T00:00:00.000Z',
        scheduledAt: null,
        authorId: 'author-1',
        categories: [{ ...name, description: 'About Many' }],
        tags: [name],
      },
      'post',
    );
    present(createdAt, 'createdAt');
    present(updatedAt, 'updatedAt');
  }),
  seeded('drafts and scheduled posts answer as if they did not exist', async (target) => {
    for (const id of ['hidden-draft', 'hidden-scheduled']) {
      failure(await send(target, `/public/posts/${id}`), 'NOT_FOUND');
      failure(await send(target, `/public/posts/slug/${id}`), 'NOT_FOUND');
    }
    const listed = await read<Post[]>(target, '/public/posts?limit=100');
    equal(
      ids(listed).filter((id) => id.startsWith('hidden')),
      [],
      'hidden posts in the list',
    );
  }),
  seeded('two blogs that share an id each show their own post', async (target) => {
    const key = target.otherKey ?? '';
    const other = await read<Post & { title: string }>(target, '/public/posts/post-01', { key });
    equal(other.title, 'Zanzibar', 'the post of the other blog');
    equal(
      (await read<Post & { title: string }>(target, '/public/posts/slug/numbered-1', { key })).title,
      'Zanzibar',
      'slug',
    );
    equal((await read<Post & { title: string }>(target, '/public/posts/post-01')).title, 'Numbered 1', 'of this blog');
    equal(
      ids(await read<Post[]>(target, '/public/posts', { key })),
      ['post-other', 'post-01'],
      'list of the other blog',
    );
    failure(await send(target, '/public/posts/post-other'), 'NOT_FOUND');
    failure(await send(target, '/public/posts/post-02', { key }), 'NOT_FOUND');
  }),
];
