import { createMock } from '@broadsheet/mock-server';
import { dehydrate, hydrate, InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { expect, expectTypeOf, test } from 'vitest';
import { createClient, NotFoundError, type Post } from '../index.ts';
import { blogQueries, type PageData } from './index.ts';

const mock = createMock();

function setUp() {
  const world = mock.world();
  const blog = createClient({ ...world.connection, fetch: mock.fetch, retry: 0 });
  return { world, blog, queries: blogQueries(blog), client: new QueryClient() };
}

test('every read is a query with its own key, below the key of its kind', async () => {
  const { queries, client, blog } = setUp();
  const [post] = await blog.posts.list().take(1);
  const [category] = await blog.categories.list();
  const [tag] = await blog.tags.list();
  const list = await client.fetchQuery(queries.posts.list({ limit: 3 }));
  expectTypeOf(list).toEqualTypeOf<PageData<Post>>();
  expect(list.items).toHaveLength(3);
  expect(await client.fetchQuery(queries.posts.get(post?.id ?? ''))).toEqual(post);
  expect(await client.fetchQuery(queries.posts.getBySlug(post?.slug ?? ''))).toEqual(post);
  expect(await client.fetchQuery(queries.categories.list())).toContainEqual(category);
  expect(await client.fetchQuery(queries.categories.get(category?.id ?? ''))).toEqual(category);
  expect(
    (await client.fetchQuery(queries.categories.posts(category?.id ?? '', { pageSize: 2 }))).items.length,
  ).toBeLessThanOrEqual(2);
  expect(await client.fetchQuery(queries.tags.get(tag?.id ?? ''))).toEqual(tag);
  expect((await client.fetchQuery(queries.search('the'))).meta.search?.q).toBe('the');
  const keys = client
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(8);
  expect(keys.every(([name]) => name === 'broadsheet')).toBe(true);
  await client.invalidateQueries({ queryKey: queries.posts.key });
  const stale = client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.isInvalidated);
  expect(stale.map(({ queryKey }) => queryKey.slice(0, 2).join())).toEqual(Array(3).fill('broadsheet,posts'));
});

test('lists grow by cursor, in all three styles of pagination', async () => {
  const { queries, client, blog } = setUp();
  const [category] = await blog.categories.list();
  const ids = async (read: Promise<{ pages: { items: readonly { id: string }[] }[] }>): Promise<string[]> =>
    (await read).pages.flatMap(({ items }) => items.map(({ id }) => id));
  const all = await blog.posts.list().collect();
  expect(await ids(client.fetchInfiniteQuery({ ...queries.posts.infinite({ limit: 4 }), pages: 99 }))).toEqual(
    all.map(({ id }) => id),
  );
  const inCategory = await blog.categories.posts(category?.id ?? '').collect();
  expect(
    await ids(
      client.fetchInfiniteQuery({
        ...queries.categories.infinitePosts(category?.id ?? '', { pageSize: 2 }),
        pages: 99,
      }),
    ),
  ).toEqual(inCategory.map(({ id }) => id));
  const found = await blog.search('the').collect();
  expect(await ids(client.fetchInfiniteQuery({ ...queries.infiniteSearch('the', { limit: 2 }), pages: 99 }))).toEqual(
    found.map(({ id }) => id),
  );
  const observer = new InfiniteQueryObserver(client, queries.posts.infinite({ limit: 5 }));
  const leave = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  expect(observer.getCurrentResult().hasNextPage).toBe(true);
  await observer.fetchNextPage();
  expect(observer.getCurrentResult().data?.pages).toHaveLength(2);
  leave();
});

test('a browser shows the data that a server prefetched, and sends no request', async () => {
  const { queries, client, world } = setUp();
  await client.prefetchQuery(queries.posts.list({ limit: 2 }));
  await client.prefetchInfiniteQuery(queries.posts.infinite({ limit: 2 }));
  const sent = JSON.stringify(dehydrate(client));
  const calls = world.calls['posts.list'].length;
  const browser = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  hydrate(browser, JSON.parse(sent));
  expect(await browser.fetchQuery(queries.posts.list({ limit: 2 }))).toEqual(
    JSON.parse(JSON.stringify(client.getQueryData(queries.posts.list({ limit: 2 }).queryKey))),
  );
  const { pages } = await browser.fetchInfiniteQuery(queries.posts.infinite({ limit: 2 }));
  expect(pages[0]?.items).toHaveLength(2);
  expect(world.calls['posts.list']).toHaveLength(calls);
});

test('an unused query is aborted, and a failure is typed and repeated only by the client', async () => {
  const { queries, client, world } = setUp();
  const gate = world.hold('posts.list');
  const observer = new QueryObserver(client, queries.posts.list());
  const leave = observer.subscribe(() => {});
  await expect.poll(() => world.calls['posts.list'].length).toBe(1);
  leave();
  await expect.poll(() => client.getQueryState(queries.posts.list().queryKey)?.fetchStatus).toBe('idle');
  gate.release();
  expect(client.getQueryData(queries.posts.list().queryKey)).toBeUndefined();
  await expect(client.fetchQuery(queries.posts.get('nowhere'))).rejects.toBeInstanceOf(NotFoundError);
  expect(world.calls['posts.get']).toHaveLength(1);
});

test('two blogs have different query keys', () => {
  const { blog } = setUp();
  expect(blogQueries(blog, 'news').posts.get('1').queryKey).toEqual(['news', 'posts', 'get', '1']);
});

test('the query key depends on what is read and on the page, not on how it is read', () => {
  const { queries } = setUp();
  const { posts, categories, tags } = queries;
  const keys = [
    ...[posts.list(), posts.infinite(), posts.get('a'), posts.get('b'), posts.getBySlug('a')],
    ...[
      posts.list({ limit: 2 }),
      posts.list({ offset: 2 }),
      posts.infinite({ limit: 2 }),
      posts.infinite({ offset: 2 }),
    ],
    ...[categories, tags].flatMap((labels) => [
      ...[labels.list(), labels.get('a'), labels.posts('a'), labels.posts('b'), labels.infinitePosts('a')],
      ...[labels.posts('a', { page: 2 }), labels.posts('a', { pageSize: 2 })],
    ]),
    ...[
      queries.search('abc'),
      queries.search('abd'),
      queries.infiniteSearch('abc'),
      queries.search('abc', { limit: 2 }),
    ],
  ].map(({ queryKey }) => JSON.stringify(queryKey));
  expect(new Set(keys).size).toBe(keys.length);
  const below = (key: readonly unknown[], text: string) => text.startsWith(JSON.stringify(key).replace(/]$/, ','));
  for (const key of keys) expect(below(queries.key, key), key).toBe(true);
  const kinds = [posts, categories, tags].map((kind) => keys.filter((key) => below(kind.key, key)).length);
  expect(kinds).toEqual([9, 7, 7]);
  expect(posts.list({ limit: 2, timeout: 100, retry: 0 }).queryKey).toEqual(posts.list({ limit: 2 }).queryKey);
});

test('every read ends when nothing waits for it, and is repeated only by the client', async () => {
  const { queries } = setUp();
  const { posts, categories, tags } = queries;
  const lists = [posts.list(), categories.posts('c'), tags.posts('t'), queries.search('the')];
  const growing = [
    posts.infinite(),
    categories.infinitePosts('c'),
    tags.infinitePosts('t'),
    queries.infiniteSearch('the'),
  ];
  const ones = [
    posts.get('1'),
    posts.getBySlug('one'),
    ...[categories, tags].flatMap((of) => [of.list(), of.get('1')]),
  ];
  const context = { signal: AbortSignal.abort('left'), pageParam: null };
  for (const { queryFn, retry } of [...lists, ...growing, ...ones]) {
    expect(retry).toBe(false);
    await expect(queryFn(context)).rejects.toMatchObject({ code: 'ABORTED', cause: 'left' });
  }
});

test('a search is not enabled before its term has three characters', async () => {
  const { queries, client, world } = setUp();
  for (const q of ['', 'ab', ' ab ', '😀😀']) {
    expect([queries.search(q).enabled, queries.infiniteSearch(q).enabled], q).toEqual([false, false]);
  }
  for (const q of ['abc', '😀😀😀'])
    expect([queries.search(q).enabled, queries.infiniteSearch(q).enabled]).toEqual([true, true]);
  const observer = new QueryObserver(client, queries.search('ab'));
  const leave = observer.subscribe(() => {});
  expect(observer.getCurrentResult().fetchStatus).toBe('idle');
  observer.setOptions(queries.search('the'));
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  leave();
  expect(world.calls.search.map(({ query }) => query['q'])).toEqual(['the']);
});

test('a post published between two pages does not repeat another', async () => {
  const { queries, client, world, blog } = setUp();
  const query = queries.posts.infinite({ limit: 5 });
  const observer = new InfiniteQueryObserver(client, query);
  const leave = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  const [newest] = await blog.posts.list({ limit: 1 }).take(1);
  for (const id of ['new-1', 'new-2']) {
    world.put({ posts: [{ id, slug: id, title: id, status: 'PUBLISHED', publishedAt: newest?.publishedAt ?? null }] });
  }
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  leave();
  const { pages = [] } = observer.getCurrentResult().data ?? {};
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(pages.map(({ duplicates }) => duplicates)).toEqual([0, 2, 0]);
});
