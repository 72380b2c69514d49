// @vitest-environment happy-dom
import { createMock } from '@broadsheet/mock-server';
import { createClient } from '@broadsheet/sdk';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { NewestPosts } from './newest-posts.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const mock = createMock();

/** Renders the component in a page, with a new world as its API. */
async function show(prepare: (world: ReturnType<typeof mock.world>) => void = () => {}) {
  const world = mock.world();
  prepare(world);
  const blog = createClient({ ...world.connection, fetch: mock.fetch, retry: false, browser: true });
  const page = document.createElement('main');
  const root = createRoot(page);
  await act(async () => root.render(<NewestPosts blog={blog} />));
  const until = (selector: string) =>
    expect.poll(() => act(async () => page.querySelector(selector)?.textContent)).toBeTruthy();
  return { page, world, until };
}

test('shows the newest five posts', async () => {
  const { page, until, world } = await show();
  await until('li');
  expect(page.querySelectorAll('li')).toHaveLength(5);
  expect(world.calls['posts.list'][0]?.query.limit).toBe(5);
});

test('shows a loading message until the response arrives', async () => {
  let release = () => {};
  const { page, until } = await show((world) => {
    const gate = world.hold('posts.list');
    release = () => gate.release();
  });
  expect(page.querySelector('[role=status]')?.textContent).toBe('Loading …');
  release();
  await until('li');
});

test('shows the error code when the posts cannot be loaded', async () => {
  const { page, until } = await show((world) => world.fail('posts.list', 500));
  await until('[role=alert]');
  expect(page.textContent).toContain('INTERNAL_ERROR');
});
