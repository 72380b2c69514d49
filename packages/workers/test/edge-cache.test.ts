import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

const post = (title: string) => ({ id: 'p', title, slug: 'p', publishedAt: '2026-01-01T00:00:00Z' });
const blog = (id: string, title: string) => ({ id, name: id, apiKeys: [`key of ${id}`], posts: [post(title)] });

let deployment: Deployment;
beforeEach(async () => {
  deployment = await deploy({ entry: './watched-objects.fixture.ts' });
  for (const id of ['a', 'b']) await deployment.importBlog(blog(id, `First of ${id}`));
});
afterEach(() => deployment.stop());

async function read(id: string, headers: Readonly<Record<string, string>> = {}) {
  const own = { 'x-api-key': `key of ${id}`, ...headers };
  const answer = await fetchAlone(new Request(`${deployment.url}/public/posts`, { headers: own }));
  const text = await answer.text();
  return { answer, title: text === '' ? undefined : JSON.parse(text).data?.[0]?.title };
}
/** The statuses that the objects returned so far. */
const answered = async () =>
  (await fetchAlone(new Request(`${deployment.url}/healthz`))).headers.get('x-test-answered');

test('unchanged content comes from the edge cache after the object has confirmed it', async () => {
  const first = await read('a');
  expect(await answered()).toBe('200');
  const again = await read('a');
  expect(await answered()).toBe('200 304');
  expect(again.title).toBe('First of a');
  expect(again.answer.status).toBe(200);
  for (const name of [
    'etag',
    'cache-control',
    'vary',
    'content-type',
    'access-control-allow-origin',
    'content-length',
  ]) {
    expect(again.answer.headers.get(name), name).toBe(first.answer.headers.get(name));
  }
  expect(again.answer.headers.get('x-request-id')).not.toBe(first.answer.headers.get('x-request-id'));
  const etag = String(again.answer.headers.get('etag'));
  expect((await read('a', { 'if-none-match': etag })).answer.status).toBe(304);
});

test('the edge cache never serves stale content, another blog, or anything to a revoked key', async () => {
  expect((await read('b')).title).toBe('First of b');
  for (let turn = 0; turn < 5; turn += 1) {
    await deployment.importBlog(blog('a', `Turn ${turn}`));
    expect((await read('a')).title).toBe(`Turn ${turn}`);
    expect((await read('a')).title).toBe(`Turn ${turn}`);
  }
  await deployment.manage('a', 'keys.revoke', { all: true });
  expect((await read('a')).answer.status).toBe(401);
});
