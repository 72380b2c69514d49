// @vitest-environment happy-dom
import { createMock, type World } from '@broadsheet/mock-server';
import { createClient } from '@broadsheet/sdk';
import { type DehydratedState, QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { App, prefetchPosts } from './posts.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const mock = createMock();

async function open(prepare: (world: World) => Promise<DehydratedState | undefined> = async () => undefined) {
  const world = mock.world();
  const blog = createClient({ ...world.connection, fetch: mock.fetch, retry: 0, browser: true });
  const state = await prepare(world);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const page = document.createElement('main');
  await act(async () => createRoot(page).render(<App blog={blog} client={client} {...(state && { state })} />));
  const items = () => expect.poll(() => act(async () => page.querySelectorAll('li').length));
  return { page, world, items };
}

test('shows one page, and another with each click', async () => {
  const { page, world, items } = await open();
  await items().toBe(3);
  await act(async () => page.querySelector('button')?.click());
  await items().toBe(6);
  expect(world.calls['posts.list'].map(({ query }) => query.offset)).toEqual([0, 3]);
});

test('shows the posts that the server prefetched without another request', async () => {
  const { world, page } = await open(async ({ connection }) => {
    const blog = createClient({ ...connection, fetch: mock.fetch, browser: true });
    return JSON.parse(JSON.stringify(await prefetchPosts(blog)));
  });
  expect(page.querySelectorAll('li')).toHaveLength(3);
  expect(world.calls['posts.list']).toHaveLength(1);
});

test('shows an error when the posts cannot be loaded', async () => {
  const { page } = await open(async (world) => {
    world.fail('posts.list', 500);
    return undefined;
  });
  await expect.poll(() => act(async () => page.querySelector('[role=alert]')?.textContent)).toBeTruthy();
});
