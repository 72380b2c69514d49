import { equal, holds, present } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ALL, ids, NOW, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const HOUR = 60 * 60 * 1000;
const after = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

const scheduled = (id: string, hours: number) =>
  post(id, { status: 'SCHEDULED', publishedAt: null, scheduledAt: after(hours), categoryIds: ['c'], tagIds: ['t'] });

const write = (store: PlainStore) =>
  put(store, {
    apiKeys: ['k'],
    categories: [{ id: 'c', name: 'C' }],
    tags: [{ id: 't', name: 'T' }],
    posts: [
      scheduled('second', 2),
      scheduled('first', 1),
      scheduled('third', 3),
      post('timeless', { status: 'SCHEDULED', publishedAt: null, scheduledAt: null }),
      post('draft', { status: 'DRAFT', publishedAt: null, scheduledAt: after(1) }),
      post('old'),
    ],
  });

const blogOf = async (store: PlainStore) => present(await store.findBlog('k'), 'the blog');

/** Scheduled posts: the store reports when the next one is due and publishes it once. */
export const schedulingCases: readonly StoreCase[] = [
  storeCase('a blog reports when its next scheduled post is due', async (store) => {
    await write(store);
    equal((await blogOf(store)).nextDueAt, NOW + HOUR, 'the next post');
    await put(store, { posts: [post('first', { status: 'DRAFT' })] });
    equal((await blogOf(store)).nextDueAt, NOW + 2 * HOUR, 'the next but one');
  }),
  storeCase('a blog without scheduled posts has none due', async (store) => {
    await put(store, { apiKeys: ['k'], posts: [post('p'), post('d', { status: 'DRAFT', scheduledAt: after(1) })] });
    equal((await blogOf(store)).nextDueAt, undefined, 'the next post');
  }),
  storeCase('due posts are published with their scheduled time as the time of publication', async (store) => {
    await write(store);
    const { revision } = await blogOf(store);
    await store.publishDuePosts('b', NOW + 2 * HOUR);
    equal(ids(await store.listPosts('b', ALL)), ['second', 'first', 'old'], 'posts in their order');
    const second = present(await store.getPost('b', 'second'), 'the post');
    equal(
      [second.status, second.publishedAt, second.scheduledAt, second.updatedAt, ids(second.categories)],
      ['PUBLISHED', after(2), after(2), after(2), ['c']],
      'the post',
    );
    equal((await store.getPostBySlug('b', 'slug-first'))?.id, 'first', 'the post by its slug');
    equal(ids((await store.listCategoryPosts('b', 'c', ALL))?.items ?? []), ['second', 'first'], 'the category');
    equal((await store.getTag('b', 't'))?._count.posts, 2, 'posts of the tag');
    equal(ids(await store.searchPosts('b', ['title', 'second'], ALL)), ['second'], 'what a search finds');
    const blog = await blogOf(store);
    holds(blog.revision !== revision, 'the revision changes');
    equal(blog.nextDueAt, NOW + 3 * HOUR, 'the next post');
  }),
  storeCase('a post is not published one millisecond before its time', async (store) => {
    await write(store);
    const before = await blogOf(store);
    await store.publishDuePosts('b', NOW + HOUR - 1);
    equal(await blogOf(store), before, 'the blog');
    equal(ids(await store.listPosts('b', ALL)), ['old'], 'posts');
    await store.publishDuePosts('b', NOW + HOUR);
    equal(ids(await store.listPosts('b', ALL)), ['first', 'old'], 'posts at its time');
  }),
  storeCase('concurrent calls publish due posts once', async (store) => {
    await write(store);
    const revisions = await Promise.all(
      Array.from({ length: 8 }, async () => {
        await store.publishDuePosts('b', NOW + 9 * HOUR);
        return (await blogOf(store)).revision;
      }),
    );
    equal(new Set(revisions).size, 1, 'revisions');
    equal((await blogOf(store)).nextDueAt, undefined, 'the next post');
    equal((await store.listPosts('b', ALL)).length, 4, 'posts');
  }),
  storeCase('an unknown blog has no posts that are due', async (store) => {
    await store.publishDuePosts('nowhere', NOW);
    equal(await store.listPosts('nowhere', ALL), [], 'posts');
  }),
];
