import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import type { Mock } from '../worlds/mock.ts';
import { parity } from './parity.ts';
import { importBlogs } from './program.ts';
import { record } from './record.ts';

const send = async (mock: Mock, path: string) => {
  const response = await mock.fetch(`${mock.baseUrl}/public${path}`, { headers: { 'X-API-Key': mock.main.apiKey } });
  return ((await response.json()) as { data: unknown }).data;
};
const PATHS = ['/posts?limit=100', '/categories', '/tags', '/search?q=the&limit=50'];

test('a recording responds like the live API; ads are requested only with the option', async () => {
  const live = createMock({ seed: 'live' });
  const options = { url: live.baseUrl, apiKey: live.main.apiKey, fetch: live.fetch };
  const [blog] = (await record({ ...options, ads: false })).blogs;
  expect(blog?.ads).toBeUndefined();
  const before = (live.main.blog.ads ?? []).map(({ id }) => live.main.ad(id).impressions);
  expect(before.every((count) => count === 0)).toBe(true);

  const recorded = createMock({ main: { blog: JSON.parse(JSON.stringify(await record({ ...options, ads: true }))) } });
  for (const path of PATHS.slice(0, 3)) expect(await send(recorded, path)).toEqual(await send(live, path));
  const ids = async (mock: Mock) => {
    const { data } = (await send(mock, '/search?q=the&limit=50')) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  };
  expect(await ids(recorded)).toEqual(await ids(live));
  const delivered = recorded.main.blog.ads?.map(({ format }) => format);
  expect(delivered).toEqual(expect.arrayContaining(['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE']));
  // Paused and ended ads are not delivered, so they cannot be recorded.
  expect(delivered).toHaveLength((live.main.blog.ads?.length ?? 0) - 2);
});

test('record reports an unknown key and an unreachable URL', async () => {
  const live = createMock();
  const options = { url: live.baseUrl, ads: false, fetch: live.fetch };
  await expect(record({ ...options, apiKey: 'nobody' })).rejects.toThrow(/does not accept the key/);
  await expect(record({ url: 'http://127.0.0.1:1', apiKey: 'k', ads: false })).rejects.toThrow(/nothing responds at/);
});

test('importing reports all problems at once and reads Markdown, as the server does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-import-'));
  try {
    const file = join(folder, 'blog.json');
    await writeFile(file, JSON.stringify({ blogs: [{ id: 'b', name: 'B', posts: [{ id: 1 }, { slug: 2 }] }] }));
    await expect(importBlogs(file, () => undefined)).rejects.toThrow(/blog.json cannot be imported:\n(.*\n)+.*title/);
    await writeFile(join(folder, 'post.md'), '---\ntitle: Hello\n---\n\nSome text.');
    await rm(file);
    const [blog] = await importBlogs(folder, () => undefined);
    const mock = createMock({ ...(blog && { main: { blog } }) });
    expect(await send(mock, '/posts')).toMatchObject([{ title: 'Hello', slug: 'post' }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['record', (url: string) => record({ url, apiKey: 'live-key', ads: false })],
  ['parity', (url: string) => parity({ url, apiKey: 'live-key', clicks: false, write: () => undefined })],
])('%s does not follow a redirect with the key', async (_, run) => {
  const keys: unknown[] = [];
  const elsewhere = createServer(({ headers }, response) => {
    keys.push(headers['x-api-key']);
    response.end('{}');
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/public/tags`;
  const api = createServer((_request, response) => void response.writeHead(307, { location }).end());
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  await expect(run(url)).rejects.toThrow(`${url} redirects to ${location}; the key is not sent there`);
  expect(keys).toEqual([]);
  for (const server of [api, elsewhere]) server.close();
});
