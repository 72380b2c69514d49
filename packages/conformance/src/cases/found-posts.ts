import { equal, holds, present } from '../expect.ts';
import { failure } from '../failure.ts';
import { send } from '../send.ts';
import { read } from '../success.ts';
import { inOrder, type SurveyedPost, somePosts, spread, survey } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';

const promised = section({ section: '4.1' });
const decided = section({ section: 'decided' });
const ids = (posts: readonly { id: string }[]) => posts.map(({ id }) => id);
const encode = encodeURIComponent;

async function readInBatches(target: Target, limit: number): Promise<SurveyedPost[]> {
  const posts: SurveyedPost[] = [];
  for (let batch = limit; batch === limit; ) {
    const next = await read<SurveyedPost[]>(target, `/public/posts?limit=${limit}&offset=${posts.length}`);
    holds(!next[0] || next[0].id !== posts[0]?.id, `the list goes on after offset ${posts.length}`);
    batch = next.length;
    posts.push(...next);
  }
  return posts;
}

/** Texts that differ from an id or slug in little: a look-up that takes them for it is not exact. */
function near(text: string): string[] {
  const wildcards = ['%', '_', '*', '?'].map((sign) => text.slice(0, -1) + sign);
  return [
    text.toUpperCase(),
    text.toLowerCase(),
    `${text}x`,
    ` ${text}`,
    `${text} `,
    text.slice(0, -1),
    ...wildcards,
    '%',
  ];
}

/** Section 4.1 on any blog: what is promised follows from the posts that are found there. */
export const foundPostCases = [
  promised('batches of any size make up the same list, without a post twice', async (target) => {
    const posts = await somePosts(target);
    equal(new Set(ids(posts)).size, posts.length, 'different posts');
    const limit = Math.min(99, Math.max(1, Math.ceil(posts.length / 4)));
    equal(ids(await readInBatches(target, limit)), ids(posts), `posts in batches of ${limit}`);
    equal((await read<unknown[]>(target, '/public/posts')).length, Math.min(10, posts.length), 'posts without a limit');
  }),
  decided('the whole list is in the order of posts', async (target) => {
    const posts = await somePosts(target);
    equal(ids(posts), ids(inOrder(posts)), 'order');
  }),
  promised('every post of a spread over the list is read by its id and by its slug', async (target) => {
    for (const post of spread(await somePosts(target), 8)) {
      equal(await read(target, `/public/posts/${encode(post.id)}`), post, `post ${post.id}`);
      equal(await read(target, `/public/posts/slug/${encode(post.slug)}`), post, `slug ${post.slug}`);
    }
  }),
  decided('an id and a slug are matched whole, letter for letter', async (target) => {
    const posts = await somePosts(target);
    const [known, slugs] = [new Set(ids(posts)), new Set(posts.map(({ slug }) => slug))];
    for (const { id, slug } of spread(posts, 3)) {
      for (const text of near(id).filter((one) => one.trim() && !known.has(one))) {
        failure(await send(target, `/public/posts/${encode(text)}`), 'NOT_FOUND');
      }
      for (const text of near(slug).filter((one) => one.trim() && !slugs.has(one))) {
        failure(await send(target, `/public/posts/slug/${encode(text)}`), 'NOT_FOUND');
      }
    }
  }),
  promised('the categories and tags that a post carries are those of the lists', async (target) => {
    const { posts, categories, tags } = await survey(target);
    if (!posts.some((post) => post.categories.length + post.tags.length > 0)) {
      throw new Unchecked('no post of the blog has a category or a tag');
    }
    for (const post of posts) {
      for (const { id, name, description } of post.categories) {
        const listed = present(
          categories.find((one) => one.id === id),
          `category ${id} of post ${post.id} in the list`,
        );
        equal([name, description], [listed.name, listed.description], `category ${id} of post ${post.id}`);
      }
      for (const { id, name } of post.tags) {
        const listed = present(
          tags.find((one) => one.id === id),
          `tag ${id} of post ${post.id} in the list`,
        );
        equal(name, listed.name, `tag ${id} of post ${post.id}`);
      }
    }
  }),
];
