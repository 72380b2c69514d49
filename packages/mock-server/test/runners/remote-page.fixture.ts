import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '@broadsheet/mock-server';
import { type RemoteWorld, remoteWorld } from '@broadsheet/mock-server/control';
import { test as base, expect } from 'playwright/test';

// Playwright's runner runs this file: pages that a server renders from a mock, which only HTTP controls.

const mock = await createMock().listen();
const site = createServer(async (request, response) => {
  if (request.url !== '/') return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><progress></progress>');
  const posts = await fetch(`${mock.url}/public/posts?limit=1`, { headers: { 'X-API-Key': 'built-in' } });
  const [post] = posts.ok ? (await posts.json()).data : [];
  response.end(`<style>progress { display: none }</style><h1>${post?.title ?? posts.status}</h1>`);
});
await once(site.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const test = base.extend<{ world: RemoteWorld }>({
  world: async ({ page: _ }, use) => {
    const world = await remoteWorld(mock.url, { apiKey: 'built-in' });
    await use(world);
    await world.assertOnContract().finally(() => world.drop());
  },
});
test.afterAll(async () => {
  site.close();
  await mock.close();
});

test('a page that a server renders shows the spinner until the posts arrive', async ({ page, world }) => {
  const gate = await world.hold('posts.list');
  const visit = page.goto(url);
  await gate.arrived();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await gate.release();
  await visit;
  await expect(page.getByRole('progressbar')).toBeHidden();
  expect((await world.calls)['posts.list']).toHaveLength(1);
});
test('the next test has a world of its own with the same key', async ({ page, world }) => {
  await world.fail('posts.list', 503);
  await page.goto(url);
  await expect(page.locator('h1')).toHaveText('503');
  expect(await world.journal).toHaveLength(1);
});
