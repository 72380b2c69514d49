import { inspect } from 'node:util';
import { createMock } from '@broadsheet/mock-server';
import { expect, test } from 'vitest';
import { AuthenticationError, createClient, InputError, memoryCache, NotFoundError } from '../src/index.ts';
import { client, failureOf } from './support/client.ts';
import { serve } from './support/serve.ts';

const DRAFT = { id: 'draft', title: 'Soon', slug: 'soon', status: 'DRAFT' } as const;
const LATER = {
  id: 'later',
  title: 'Later',
  slug: 'later',
  status: 'SCHEDULED',
  scheduledAt: '2099-01-01T00:00:00Z',
} as const;

function setup() {
  const mock = createMock();
  const world = mock.world();
  world.put({ posts: [DRAFT, LATER] });
  const options = { ...world.connection, fetch: mock.fetch, retry: { sleep: async () => {} } };
  return { mock, world, options, blog: createClient(options) };
}

test('a preview token opens its post, regardless of its status', async () => {
  const { world, blog } = setup();
  expect(await blog.preview(await world.preview('draft'))).toMatchObject({
    id: 'draft',
    status: 'DRAFT',
    slug: 'soon',
  });
  expect(await blog.preview(await world.preview('later'))).toMatchObject({ id: 'later', status: 'SCHEDULED' });
  await expect(world.preview('none')).rejects.toThrow('world.preview: there is no post "none"');
  world.assertOnContract();
});

test('a client with any key reads a preview, except with the key of another blog', async () => {
  const { mock, world, options } = setup();
  const token = await world.preview('draft');
  const other = createClient({ ...mock.world().connection, fetch: mock.fetch });
  expect(await failureOf(other.preview(token))).toMatchObject({ code: 'UNAUTHORIZED' });
  const revoked = createClient({ ...options, apiKey: 'revoked', fetch: world.fetch });
  expect((await revoked.preview(token)).id).toBe('draft');
  const headers = { authorization: `Bearer ${token}` };
  expect((await mock.fetch(`${mock.baseUrl}/preview/post`, { headers })).status).toBe(200);
});

test('a token that expired, was changed or belongs to a deleted post has a typed error', async () => {
  const { world, blog } = setup();
  const token = await world.preview('draft');
  const invalid = await failureOf(blog.preview(`${token}x`));
  expect(invalid).toBeInstanceOf(AuthenticationError);
  expect(String(invalid)).not.toContain('Check');
  world.remove({ posts: ['draft'] });
  expect(await failureOf(blog.preview(token))).toBeInstanceOf(NotFoundError);
  const later = await world.preview('later');
  world.clock.advance('24h');
  const { error } = await blog.preview(later).safe();
  expect(error).toMatchObject({ code: 'UNAUTHORIZED', status: 401, message: expect.stringContaining('expired') });
  for (const wrong of ['', 'a b', 'ü', undefined as unknown as string]) {
    expect(await failureOf(blog.preview(wrong))).toBeInstanceOf(InputError);
  }
});

test('a preview is repeated like a read, and every call is sent: nothing is cached or shared', async () => {
  const { world, options } = setup();
  const seen: RequestInit[] = [];
  const blog = createClient({
    ...options,
    cache: memoryCache({ fresh: 60_000 }),
    nextTags: true,
    fetchOptions: { next: { revalidate: 3600 } },
    fetch(url, init = {}) {
      seen.push(init);
      return options.fetch(url, init);
    },
  });
  const [draft, later] = [await world.preview('draft'), await world.preview('later')];
  world.fail('preview', 503, { times: 1 });
  expect((await blog.preview(draft)).id).toBe('draft');
  const both = await Promise.all([blog.preview(draft), blog.preview(later), blog.preview(draft)]);
  expect(both.map(({ id }) => id)).toEqual(['draft', 'later', 'draft']);
  expect(seen).toHaveLength(5);
  for (const init of seen) expect(init).toMatchObject({ cache: 'no-store' });
  expect(seen.every((init) => !('next' in init))).toBe(true);
});

test('no error and no event contains the token', async () => {
  const token = 'aaaa.SECRET-TOKEN.bbbb';
  const echo = await serve((request, response) => response.end(`not json ${request.headers.authorization}`));
  const closed = await serve((_, response) => response.destroy());
  const events: unknown[] = [];
  const onEvent = (event: unknown) => events.push(event);
  const errors = [
    await failureOf(client(echo.url, { onEvent }).preview(token)),
    await failureOf(client(closed.url, { onEvent, retry: 0 }).preview(token)),
    await failureOf(client(echo.url, { onEvent }).preview(`${token} `)),
  ];
  expect(echo.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
  expect(inspect([errors, events], { depth: null, showHidden: true })).not.toContain('SECRET-TOKEN');
});
