import { ENDPOINTS, type EndpointId } from '@broadsheet/contract';
import { MESSAGES, type Message, validate } from '@broadsheet/contract/schemas';
import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import type { Lens } from './lens.ts';

const mock = createMock();
const send = async (lens: Lens | undefined, path: string) => {
  const world = mock.world();
  world.lens(lens);
  const response = await world.fetch(`${mock.baseUrl}/public${path}`, { headers: { 'X-API-Key': world.apiKey } });
  return response.json() as Promise<Record<string, unknown>>;
};
const category = mock.main.blog.categories?.[0]?.id ?? '';
const post = mock.main.blog.posts?.[0]?.id ?? '';
const READS: readonly [EndpointId, string][] = [
  ['posts.list', '/posts'],
  ['posts.get', `/posts/${post}`],
  ['categories.list', '/categories'],
  ['categories.get', `/categories/${category}`],
  ['categories.posts', `/categories/${category}/posts`],
  ['tags.list', '/tags'],
  ['search', '/search?q=the'],
  ['ads.deliver', '/ads/formats/BANNER'],
];

test.each(READS)('%s stays on the contract with every lens, and hostile changes it', async (id, path) => {
  const plain = JSON.stringify(await send(undefined, path));
  for (const lens of ['sparse', 'maximal', 'hostile'] as const) {
    const body = await send(lens, path);
    const data = ENDPOINTS[id].form === 'bare' ? body : body['data'];
    expect([lens, validate((MESSAGES[id] as Message).data, data)]).toEqual([
      lens,
      expect.objectContaining({ ok: true }),
    ]);
    if (lens === 'hostile') expect(JSON.stringify(body)).not.toBe(plain);
  }
});

test('the lens sparse leaves out every optional field', async () => {
  expect(Object.keys(await send('sparse', '/ads/formats/BANNER')).sort()).toEqual(['clickToken', 'filled', 'id']);
  const { data } = (await send('sparse', `/categories/${category}/posts`)) as { data: object[] };
  expect(Object.keys(data[0] ?? {}).sort()).toEqual(['id', 'publishedAt', 'slug', 'status', 'title']);
});

test('the lens maximal has no null', async () => {
  for (const [, path] of READS) expect(JSON.stringify(await send('maximal', path))).not.toContain('null');
});

test('the lens hostile has markup, other scripts and a body of 100 KB, and keeps ids', async () => {
  const posts = ((await send('hostile', '/posts?limit=100')) as { data: { id: string; content: string }[] }).data;
  const text = JSON.stringify(posts);
  for (const sign of ['<script>', 'مرحبا', '𝒯']) expect(text).toContain(sign);
  expect(Math.max(...posts.map(({ content }) => content.length))).toBeGreaterThan(100_000);
  expect(posts.map(({ id }) => id)).toEqual(
    ((await send(undefined, '/posts?limit=100')) as { data: { id: string }[] }).data.map(({ id }) => id),
  );
});

test('the lens unwrapped is the variant of the API document without a success envelope', async () => {
  expect(Array.isArray(await send('unwrapped', '/tags'))).toBe(true);
  expect(await send('unwrapped', `/posts/${post}`)).toMatchObject({ id: post });
  expect(Object.keys(await send('unwrapped', `/categories/${category}/posts`))).toEqual([
    'posts',
    'total',
    'page',
    'pageSize',
    'totalPages',
  ]);
  expect(Object.keys(await send('unwrapped', '/search?q=the'))).toEqual(['data', 'meta']);
  expect(await send('unwrapped', '/search?q=x')).toEqual({ error: expect.stringContaining('q: must be at least 3') });
  expect(await send('unwrapped', '/ads/formats/BANNER')).toMatchObject({ filled: true });
});

test.each(['hostle', { fuzz: 17 }])('world.lens refuses %j', (lens) => {
  expect(() => mock.main.lens(lens as Lens)).toThrow(/lens must be one of sparse, .*, unwrapped; received /);
});
