import { expect, test } from 'vitest';
import { createMemoryStore, type Store, StoreUnavailable } from '../index.ts';
import { createDuePublisher, dueTime, nextDueTime } from './due-posts.ts';

const AT = Date.parse('2026-01-02T09:00:00Z');
const post = { id: 'p', title: 'P', slug: 'p', status: 'SCHEDULED', scheduledAt: '2026-01-02T09:00:00Z' } as const;

function setup(change: (store: Store) => Partial<Store> = () => ({})) {
  const memory = createMemoryStore();
  memory.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [post] }, 0);
  const clock = { time: AT - 1, now: () => clock.time };
  const published: number[] = [];
  const store: Store = {
    ...memory,
    publishDuePosts(blogId, now) {
      published.push(now);
      return memory.publishDuePosts(blogId, now);
    },
  };
  const changed = { ...store, ...change(store) };
  const publish = createDuePublisher(changed, clock);
  const find = async (key: string) => {
    const blog = await changed.findBlog(key);
    return blog && publish(key, blog);
  };
  return { clock, published, memory, find };
}

test('a blog is returned unchanged until a post is due', async () => {
  const { clock, find, published, memory } = setup();
  const before = memory.findBlog('key');
  expect(await find('key')).toEqual(before);
  clock.time = AT;
  expect(await find('key')).toMatchObject({ id: 'b', nextDueAt: undefined });
  expect(memory.findBlog('key')?.revision).not.toBe(before?.revision);
  expect(memory.getPost('b', 'p')).toMatchObject({ status: 'PUBLISHED', publishedAt: '2026-01-02T09:00:00.000Z' });
  clock.time += 1;
  expect(await find('key')).toMatchObject({ id: 'b', nextDueAt: undefined });
  expect(published).toEqual([AT]);
});

test('requests that arrive while a database publishes wait for the same write', async () => {
  const { clock, find, published } = setup((store) => ({
    findBlog: async (key) => store.findBlog(key),
    publishDuePosts: async (blogId, now) => {
      await Promise.resolve();
      return store.publishDuePosts(blogId, now);
    },
  }));
  clock.time = AT;
  const found = await Promise.all(Array.from({ length: 5 }, () => find('key')));
  expect(new Set(found.map((blog) => blog?.revision)).size).toBe(1);
  expect(found[0]?.nextDueAt).toBeUndefined();
  expect(published).toEqual([AT]);
});

test('while the store cannot be written, the blog stays unchanged; due posts are published once it can', async () => {
  let away = true;
  let attempts = 0;
  const { clock, find } = setup((store) => ({
    publishDuePosts: async (blogId, now) => {
      attempts += 1;
      if (away) throw new StoreUnavailable('gone');
      return store.publishDuePosts(blogId, now);
    },
  }));
  clock.time = AT;
  for (const blog of await Promise.all([find('key'), find('key')])) expect(blog).toMatchObject({ nextDueAt: AT });
  expect(attempts).toBe(1);
  // Requests do not wait for the attempts that follow, and those are rate-limited.
  expect(await find('key')).toMatchObject({ nextDueAt: AT });
  expect(attempts).toBe(1);
  away = false;
  clock.time += 250;
  expect(await find('key')).toMatchObject({ nextDueAt: AT });
  expect(attempts).toBe(2);
  await expect.poll(() => find('key')).toMatchObject({ nextDueAt: undefined });
});

test('a failed attempt that another process completed does not delay the next scheduled post', async () => {
  let away = true;
  const { clock, find, memory } = setup((store) => ({
    publishDuePosts: async (blogId, now) => {
      if (away) throw new StoreUnavailable('gone');
      return store.publishDuePosts(blogId, now);
    },
  }));
  const next = { ...post, id: 'q', slug: 'q', scheduledAt: '2026-01-02T09:00:10Z' };
  memory.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [post, next] }, 0);
  clock.time = AT;
  expect(await find('key')).toMatchObject({ nextDueAt: AT });
  memory.publishDuePosts('b', AT);
  away = false;
  clock.time = AT + 10_000;
  expect(await find('key')).toMatchObject({ nextDueAt: undefined });
});

test('a write that fails for another reason fails the requests that waited for it', async () => {
  const { clock, find } = setup(() => ({
    publishDuePosts: async () => {
      throw new Error('a mistake');
    },
  }));
  clock.time = AT;
  await expect(find('key')).rejects.toThrow('a mistake');
});

test('only scheduled posts with a date are ever due', () => {
  const scheduledAt = '2026-01-02T09:00:00.000Z';
  const posts = [
    { status: 'DRAFT', publishedAt: null, scheduledAt },
    { status: 'PUBLISHED', publishedAt: scheduledAt, scheduledAt },
    { status: 'SCHEDULED', publishedAt: null, scheduledAt: null },
  ] as const;
  expect(posts.map(dueTime)).toEqual([undefined, undefined, undefined]);
  expect(nextDueTime(posts)).toBeUndefined();
  const due = { ...posts[2], scheduledAt };
  expect(nextDueTime([...posts, { ...due, scheduledAt: '2027-01-01T00:00:00.000Z' }, due])).toBe(AT);
});
