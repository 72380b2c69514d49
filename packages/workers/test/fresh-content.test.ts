import { afterEach, beforeEach, expect, test } from 'vitest';
import { png } from '../../../tools/testing/images.ts';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

const post = (title: string) => ({ id: 'p', title, slug: 'p', publishedAt: '2026-01-01T00:00:00Z' });
const blog = (id: string, title: string) => ({ id, name: id, apiKeys: [`key of ${id}`], posts: [post(title)] });

let deployment: Deployment;
beforeEach(async () => {
  deployment = await deploy();
  for (const id of ['a', 'b']) await deployment.importBlog(blog(id, `First of ${id}`));
});
afterEach(() => deployment.stop());

async function read(id: string) {
  const headers = { 'x-api-key': `key of ${id}` };
  const response = await fetchAlone(new Request(`${deployment.url}/public/posts`, { headers }));
  const text = await response.text();
  return { response, title: text === '' ? undefined : JSON.parse(text).data?.[0]?.title };
}

test('content is never stale or from another blog, and a revoked key gets nothing', async () => {
  expect((await read('b')).title).toBe('First of b');
  for (let turn = 0; turn < 5; turn += 1) {
    await deployment.importBlog(blog('a', `Turn ${turn}`));
    expect((await read('a')).title).toBe(`Turn ${turn}`);
    expect((await read('a')).title).toBe(`Turn ${turn}`);
  }
  await deployment.manage('a', 'keys.revoke', { all: true });
  expect((await read('a')).response.status).toBe(401);
});

test('images of a deleted blog are gone', async () => {
  const image = Buffer.from(png(1, 1)).toString('base64');
  const { path } = (await deployment.manage('a', 'media.add', { image })) as { path: string };
  const status = async () => (await fetchAlone(new Request(deployment.url + path))).status;
  expect([await status(), await status()]).toEqual([200, 200]);
  await deployment.manage('a', 'blogs.delete', { yes: true });
  expect(await status()).toBe(404);
});
