import { expect, test } from 'vitest';
import { remoteWorld } from './control.ts';
import { createMock } from './node.ts';

test('a world in another process does all that one at hand does', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url, { name: 'e2e' });
  const { baseUrl, apiKey } = world.connection;
  const get = (path: string) => fetch(`${baseUrl}${path}`, { headers: { 'X-API-Key': apiKey } });

  await world.send('fail', { target: 'tags.list', status: 503, times: 1 });
  expect([(await get('/public/tags')).status, (await get('/public/tags')).status]).toEqual([503, 200]);
  expect((await world.send('calls')).map(({ status }) => status)).toEqual([503, 200]);

  await world.send('hold', { target: 'search' });
  const held = get('/public/search?q=the');
  while ((await world.send('calls')).length < 3);
  expect(await world.send('release', { target: 'search' })).toEqual({ released: 1 });
  expect((await held).status).toBe(200);

  await world.send('snapshot', { name: 'clean' });
  const ad = (await (await get('/public/ads/formats/BANNER')).json()) as { id: string };
  expect(await world.send('ad', { id: ad.id })).toEqual({ impressions: 1, clicks: 0 });
  await world.send('restore', { name: 'clean' });
  expect(await world.send('ad', { id: ad.id })).toEqual({ impressions: 0, clicks: 0 });

  await world.send('put', { content: { tags: [{ id: 'new', name: 'New' }] } });
  await world.send('lens', { lens: 'unwrapped' });
  expect(await (await get('/public/tags/new')).json()).toMatchObject({ name: 'New' });
  await world.send('reset');
  expect((await get('/public/tags/new')).status).toBe(404);
  const { now } = await world.send('advance', { by: '1h' });
  expect(now).toBe(Date.UTC(2026, 0, 1, 13));
  await world.drop();
  expect((await get('/public/tags')).status).toBe(401);
});

test('what cannot be done is said in the words of the mock', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  await expect(world.send('fail', { target: 'tags.list', status: 404 as 401 })).rejects.toThrow(
    /tags.list never answers 404/,
  );
  await expect(world.send('restore', { name: 'none' })).rejects.toThrow(/there is no snapshot none/);
  await expect(world.send('advance', { by: 'soon' as '1s' })).rejects.toThrow(/is no duration/);
  await expect(world.send('nonsense' as 'reset')).rejects.toThrow(/is no command/);
});
