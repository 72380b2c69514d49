import { expect, test } from 'vitest';
import { createMock } from '../node.ts';

test('the API answers over HTTP, each key in its own world', async () => {
  const mock = createMock({ baseUrl: 'https://api.example/v1' });
  await using server = await mock.listen();
  const world = mock.world();
  const get = (path: string, key = world.apiKey) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': key } });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect((await get('/public/posts')).status).toBe(200);
  expect((await get('/public/posts', 'nobody')).status).toBe(401);
  world.disrupt('posts.list', 'reset');
  await expect(get('/public/posts')).rejects.toThrow(TypeError);
  world.disrupt('tags.list', 'cut');
  const cut = await get('/public/tags');
  await expect(cut.text()).rejects.toThrow();
  expect(world.calls['posts.list']).toHaveLength(2);
});

test('a port that is taken is an error', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  await expect(mock.listen({ port: server.port })).rejects.toThrow(
    /port \d+ of 127.0.0.1: it is taken; choose another/,
  );
});
