import type { Post } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { PUBLISHED } from '../fixture/posts.ts';
import { send } from '../send.ts';
import { conforms } from '../shapes.ts';
import { envelope, read } from '../success.ts';
import { agree, ids, inOrder, near, readPosts, somePosts, spread, survey, telling } from '../survey.ts';
import { section, Unchecked } from '../target.ts';

const promised = section({ section: '4.1' });
const decided = section({ section: 'decided' });
const seeded = section({ section: '4.1', needs: ['snapshot'] });
const addressed = section({ section: 'decided', needs: ['snapshot'] });
const encode = encodeURIComponent;

/** Section 4.1: posts. */
export const postCases = [
  promised('posts come in the success envelope without meta, with the fields of a Post', async (target) => {
    const { data } = envelope<Post[]>(await send(target, '/public/posts?limit=100'));
    conforms(MESSAGES['posts.list'].data, data, 'posts');
    const hidden = data.filter(({ status }) => status !== 'PUBLISHED');
    equal(ids(hidden), [], 'posts that are not published');
    const { categories, tags } = await survey(target);
    const blogs = new Set([...data, ...categories, ...tags].map(({ blogId }) => blogId));
    holds(blogs.size <= 1, 'all posts, categories and tags belong to one blog');
  }),
  promised('by default, limit is 10 and offset is 0', async (target) => {
    const posts = await read(target, '/public/posts');
    equal(posts, await read(target, '/public/posts?limit=10&offset=0&status=PUBLISHED'), 'posts');
    const later = await read(target, '/public/posts?offset=3');
    equal(later, await read(target, '/public/posts?limit=10&offset=3&status=PUBLISHED'), 'posts from the fourth');
  }),
  promised(
    'batches of any size add up to the same list without duplicates, and the last one is empty',
    async (target) => {
      const posts = await somePosts(target);
      equal(new Set(ids(posts)).size, posts.length, 'different posts');
      const limit = Math.min(99, Math.max(1, Math.ceil(posts.length / 4)));
      equal(ids(await readPosts(target, limit)), ids(posts), `posts in batches of ${limit}`);
      equal(await read(target, '/public/posts?offset=3000000000'), [], 'past 32 bits');
    },
  ),
  decided('the whole list is sorted newest first, undated posts last', async (target) => {
    const posts = await somePosts(target);
    equal(ids(posts), ids(inOrder(posts)), 'order');
  }),
  promised('a post is read by its id and by its slug', async (target) => {
    const posts = await somePosts(target);
    for (const post of telling(posts)) {
      equal(await read(target, `/public/posts/${encode(post.id)}`), post, `post ${post.id}`);
      equal(await read(target, `/public/posts/slug/${encode(post.slug)}`), post, `slug ${post.slug}`);
    }
    const some = spread(posts, 4);
    const together = await Promise.all(some.map(({ id }) => read<Post>(target, `/public/posts/${encode(id)}`)));
    equal(ids(together), ids(some), 'posts that are read concurrently');
  }),
  promised('a post that does not exist is 404', async (target) => {
    failure(await send(target, '/public/posts/no-such-post-3b1f'), 'NOT_FOUND');
    failure(await send(target, '/public/posts/slug/no-such-post-3b1f'), 'NOT_FOUND');
  }),
  decided('an id and a slug are matched exactly', async (target) => {
    const posts = await somePosts(target);
    const [known, slugs] = [new Set(ids(posts)), new Set(posts.map(({ slug }) => slug))];
    for (const { id, slug } of spread(posts, 3)) {
      for (const text of near(id).filter((one) => one.trim() && !known.has(one))) {
        failure(await send(target, `/public/posts/${encode(text)}`), 'NOT_FOUND');
      }
      for (const text of near(slug).filter((one) => one.trim() && !slugs.has(one))) {
        failure(await send(target, `/public/posts/slug/${encode(text)}`), 'NOT_FOUND');
      }
      if (!known.has(slug)) failure(await send(target, `/public/posts/${encode(slug)}`), 'NOT_FOUND');
      if (!slugs.has(id)) failure(await send(target, `/public/posts/slug/${encode(id)}`), 'NOT_FOUND');
    }
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
  promised('the categories and tags of a post also appear in the lists', async (target) => {
    const { posts, categories, tags } = await survey(target);
    if (!posts.some((post) => post.categories.length + post.tags.length > 0)) {
      throw new Unchecked('no post of the blog has a category or a tag');
    }
    const known = [ids(categories), ids(tags)];
    for (const post of posts) {
      for (const [index, carried] of [post.categories, post.tags].entries()) {
        const missing = ids(carried).filter((id) => !known[index]?.includes(id));
        equal(missing, [], `labels of post ${post.id} that are not in the list`);
        for (const label of carried) agree(label, index === 0 ? categories : tags, `post ${post.id}`);
      }
    }
  }),
  decided('the categories and tags of a post have the order of the lists', async (target) => {
    const { posts, categories, tags } = await survey(target);
    for (const post of posts) {
      const carried = (all: readonly { id: string }[], of: readonly { id: string }[]) =>
        ids(all).filter((id) => ids(of).includes(id));
      equal(ids(post.categories), carried(categories, post.categories), `categories of post ${post.id}`);
      equal(ids(post.tags), carried(tags, post.tags), `tags of post ${post.id}`);
    }
  }),
  seeded('a post is returned exactly as it was written', async (target) => {
    const post = await read<Post>(target, '/public/posts/post-07');
    const name = { id: 'many', name: 'Many', blogId: post.blogId };
    const written = {
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
    };
    equal(post, { ...post, ...written }, 'post');
  }),
  addressed('an escape in a path is decoded, even where it is not needed', async (target) => {
    equal((await read<Post>(target, '/public/posts/%70ost%2D01')).id, 'post-01', 'post-01 in escapes');
    equal((await read<Post>(target, '/public/posts/%41')).id, 'A', '%41 is A');
    equal((await read<Post>(target, '/public/posts/%2541')).id, '%41', '%2541 is %41');
    equal((await read<Post>(target, '/public/posts/+plus+')).id, '+plus+', 'a plus in a path is a plus');
  }),
  seeded('drafts and scheduled posts are 404, as if they did not exist', async (target) => {
    for (const id of ['hidden-draft', 'hidden-scheduled']) {
      failure(await send(target, `/public/posts/${id}`), 'NOT_FOUND');
      failure(await send(target, `/public/posts/slug/${id}`), 'NOT_FOUND');
    }
    const listed = await somePosts(target);
    equal(listed.length, PUBLISHED, 'published posts');
    const hidden = ids(listed).filter((id) => id.startsWith('hidden'));
    equal(hidden, [], 'hidden posts in the list');
  }),
  seeded('two blogs that share an id each show their own post', async (target) => {
    const key = target.otherKey ?? '';
    const other = await read<Post>(target, '/public/posts/post-01', { key });
    equal(other.title, 'Zanzibar', 'the post of the other blog');
    equal((await read<Post>(target, '/public/posts/slug/numbered-1', { key })).title, 'Zanzibar', 'slug');
    equal((await read<Post>(target, '/public/posts/post-01')).title, 'Numbered 1', 'the post of this blog');
    equal(ids(await read<Post[]>(target, '/public/posts', { key })), ['post-other', 'post-01'], 'the other list');
    failure(await send(target, '/public/posts/post-other'), 'NOT_FOUND');
    failure(await send(target, '/public/posts/post-02', { key }), 'NOT_FOUND');
  }),
];
