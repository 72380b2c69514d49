import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import { remoteWorld } from './remote-world.ts';

test('a remote world does everything that a local one does', async () => {
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
  expect(await world.send('ad', { id: ad.id })).toEqual({ impressions: 1, viewable: 0, clicks: 0 });
  await world.send('restore', { name: 'clean' });
  expect(await world.send('ad', { id: ad.id })).toEqual({ impressions: 0, viewable: 0, clicks: 0 });

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

test('over HTTP put changes the given fields of an item, and remove deletes it and all references to it', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  const { baseUrl, apiKey } = world.connection;
  const get = (path: string) => fetch(`${baseUrl}${path}`, { headers: { 'X-API-Key': apiKey } });
  const read = async (path: string) => (await (await get(path)).json()).data;
  const before = await read('/public/posts/post-1');
  const [category] = before.categories;
  await world.send('put', { content: { posts: [{ id: 'post-1', title: 'Another title' }] } });
  expect(await read('/public/posts/post-1')).toEqual({ ...before, title: 'Another title' });
  await world.send('remove', { categories: [category.id] });
  expect((await get(`/public/categories/${category.id}`)).status).toBe(404);
  expect((await read('/public/posts/post-1')).categories).toEqual([]);
  await world.send('remove', { posts: ['post-1'] });
  expect((await get('/public/posts/post-1')).status).toBe(404);
});

test('commands read the hits of a fault and lift it by its name', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  const get = async () => {
    const headers = { 'X-API-Key': world.connection.apiKey };
    return (await fetch(`${world.connection.baseUrl}/public/tags`, { headers })).status;
  };
  const { fault } = await world.send('sequence', { target: 'tags.list', steps: [503, 200, 500] });
  expect([await get(), await get(), await get(), await get()]).toEqual([503, 200, 500, 200]);
  expect(await world.send('hits', { fault })).toEqual({ hits: 3 });
  const down = await world.send('profile', { profile: { status: 503 } });
  expect(await get()).toBe(503);
  expect(await world.send('lift', down)).toEqual({ hits: 1 });
  expect(await get()).toBe(200);
  await world.send('fail', { target: 'search', status: 500, nth: 2 });
  expect(await world.send('unfinished')).toEqual(["fail('search', 500) matched no request"]);
  await expect(world.send('hits', { fault: 'fault-9' })).rejects.toThrow(
    /no fault is called "fault-9"; expected one of fault-1/,
  );
});

test('gates have names, and the control plane lists and ends faults and gates set in the process', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  const world = await remoteWorld(server.url, { name: 'shared' });
  const get = (path: string) =>
    fetch(`${world.connection.baseUrl}${path}`, { headers: { 'X-API-Key': world.connection.apiKey } });
  const older = await world.send('hold', { target: 'search', times: 1 });
  const newer = await world.send('hold', { target: 'search', times: 1 });
  const answers = [get('/public/search?q=the'), get('/public/search?q=night')];
  const gates = async () => (await world.send('state')).gates;
  const held = async () => (await gates()).map((gate) => gate.held);
  while (String(await held()) !== '1,1');
  expect(await world.send('release', newer)).toEqual({ released: 1 });
  expect(await gates()).toEqual([{ ...older, target: 'search', held: 1 }]);
  await world.send('release', { target: 'search' });
  expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([200, 200]);
  await expect(world.send('release')).rejects.toThrow(/no gate holds an unnamed target; send hold first/);

  const { main } = mock;
  main.profile('4g');
  const fault = main.sequence('tags.list', [503, 'reset']);
  const gate = main.hold('tags.get');
  const here = `http://127.0.0.1:${server.port}/__mock/worlds/${main.apiKey}`;
  expect(await (await fetch(here)).json()).toMatchObject({
    name: 'main',
    faults: [
      { fault: 'fault-1', target: '*', effect: "profile('4g')", hits: 0 },
      { fault: 'fault-2', target: 'tags.list', effect: "sequence('tags.list', [503,'reset'])", hits: 0 },
    ],
    gates: [{ target: 'tags.get', held: 0 }],
  });
  for (const name of ['fault-1', 'fault-2']) await postTo(`${here}/lift`, JSON.stringify({ fault: name }));
  await postTo(`${here}/release`, '{"target":"tags.get"}');
  expect([main.unfinished(), fault.hits, gate.held]).toEqual([
    ["sequence('tags.list', [503,'reset']) matched no request"],
    0,
    0,
  ]);
  expect(
    (await main.fetch(`${main.connection.baseUrl}/public/tags`, { headers: { 'X-API-Key': main.apiKey } })).ok,
  ).toBe(true);
  expect(await world.send('advanceTo', { to: '2026-02-01T00:00:00Z' })).toEqual({ now: Date.UTC(2026, 1, 1) });
  await expect(world.send('advanceTo', { to: '2020-01-01T00:00:00Z' })).rejects.toThrow(/has passed/);
});

test('the control plane lists its worlds, and each command with its fields', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url, { name: 'seen' });
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}/__mock${path}`)).json();
  expect(await read('/worlds')).toEqual([
    expect.objectContaining({ name: 'main', calls: 0, unfinished: [] }),
    expect.objectContaining({ name: 'seen', apiKey: world.connection.apiKey, now: Date.UTC(2026, 0, 1, 12) }),
  ]);
  const response = await fetch(`${server.url}/__mock`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await response.text();
  for (const line of [`${server.url}/public/`, 'POST /__mock/worlds/{key}/{command}', '  hold target, times?\n'])
    expect(text).toContain(line);
});

test('only loopback and allowed origins and hosts control a mock', async () => {
  const mock = createMock();
  await using server = await mock.listen({ allowOrigins: ['https://stories.example'] });
  const send = (headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number | undefined; text: string; cors: unknown }>((resolve, reject) => {
      const sent = request(`${server.url}/__mock/worlds`, { method, headers }, async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode, text, cors: answer.headers['access-control-allow-origin'] });
      });
      sent.on('error', reject).end();
    });
  for (const origin of ['http://localhost:6006', 'http://127.0.0.1', 'http://[::1]:3000', 'https://stories.example']) {
    expect(await send({ origin })).toMatchObject({ status: 200, cors: origin });
    expect(await send({ origin }, 'OPTIONS')).toMatchObject({ status: 204, cors: origin });
  }
  for (const host of ['localhost', 'app.localhost:4510', '127.1.2.3', '[::1]:4510', 'stories.example']) {
    expect(await send({ host })).toMatchObject({ status: 200, cors: undefined });
  }
  const refused = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
    { host: 'rebound.evil.example' },
    { host: '127.0.0.1.evil.example:4510' },
    { host: 'stories.example', origin: 'https://evil.example' },
  ];
  for (const headers of refused) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, text, cors } = await send(headers, method);
      expect([status, cors], JSON.stringify(headers)).toEqual([403, undefined]);
      expect(text).toMatch(/Only loopback origins and hosts control the mock; allow another with --allow-origin \S+/);
      expect(text).not.toContain(mock.main.apiKey);
    }
  }
  expect(mock.main.journal).toEqual([]);
  await expect(mock.listen({ allowOrigins: ['stories.example'] })).rejects.toThrow(/must be an origin/);
});

test('an impossible command is refused with the reason', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  await expect(world.send('fail', { target: 'tags.list', status: 404 as 401 })).rejects.toThrow(
    /tags.list never responds with 404/,
  );
  await expect(world.send('restore', { name: 'none' })).rejects.toThrow(/no snapshot is called none/);
  await expect(world.send('advance', { by: 'soon' as '1s' })).rejects.toThrow(/is not a duration/);
  await expect(world.send('nonsense' as 'reset')).rejects.toThrow(/unknown command "nonsense"; expected one of state/);
});

const postTo = async (url: string, body?: string, method = 'POST') => {
  const response = await fetch(url, { method, ...(body !== undefined && { body }) });
  return { status: response.status, ...((await response.json()) as { error?: string; apiKey?: string }) };
};

test('a wrong path or method is refused and changes nothing', async () => {
  const mock = createMock({ baseUrl: 'https://api.example/v1' });
  await using server = await mock.listen();
  const control = `http://127.0.0.1:${server.port}/__mock`;
  const world = mock.world();
  world.put({ tags: [{ id: 'new', name: 'New' }] });
  const here = `${control}/worlds/${world.apiKey}`;
  for (const [method, url, right] of [
    ['DELETE', `${here}/reset`, 'send POST'],
    ['PUT', `${here}/reset`, 'send POST'],
    ['POST', here, 'send DELETE'],
    ['DELETE', `${control}/worlds`, 'send POST'],
    ['POST', control, 'send GET'],
  ] as const) {
    expect(await postTo(url, undefined, method)).toEqual({
      status: 405,
      error: `${method} is not allowed at ${new URL(url).pathname}; ${right}`,
    });
  }
  const get = await fetch(`${here}/reset`);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  for (const path of ['/wolrds', `/wolrds/${world.apiKey}/reset`, '/banana', '/worlds//reset', '/worlds/a/reset/b']) {
    expect(await postTo(`${control}${path}`)).toEqual({
      status: 404,
      error: expect.stringMatching(
        /^unknown path \S+; expected one of GET \/__mock, GET \/__mock\/worlds, POST \/__mock\/worlds, DELETE .*/,
      ),
    });
  }
  expect(world.blog.tags?.some(({ id }) => id === 'new')).toBe(true);
  expect((await postTo(`${here}/reset`)).status).toBe(200);
  expect(await (await fetch(`${control}/`)).text()).toContain(server.url);
  expect((await postTo(`${control}/worlds/${mock.main.apiKey}`, undefined, 'DELETE')).error).toMatch(
    /main cannot be dropped/,
  );
});

test.each([
  [
    'worlds',
    '[]',
    'mock.world: expected an object with name, seed, blog, apiKey, start, pace, ip, origin; received []',
  ],
  ['worlds', '"x"', 'mock.world: expected an object with name, '],
  ['worlds', 'null', 'mock.world: expected an object with name, '],
  ['worlds', '{"pace":"reel"}', 'mock.world: pace must be one of virtual, real; received "reel"'],
  ['worlds', '{"paze":"real"}', 'mock.world: unknown option "paze"; expected one of name, '],
  ['worlds', '{"blog":{"post":[]}}', 'blog blog-sample: name: is required; body: unknown: post'],
  ['worlds', '{"name":', 'the body is not JSON: Unexpected end of JSON input'],
  ['fail', '{"target":"search","status":500,"time":1}', 'fail: unknown field "time"; it takes target, status, code?, '],
  [
    'fail',
    '{"endpoint":"search"}',
    'fail: unknown field "endpoint", "target" is required, "status" is required; it takes ',
  ],
  ['advance', '{"duration":"10m"}', 'advance: unknown field "duration", "by" is required; it takes by'],
  ['advance', 'null', 'advance: expected an object, received null; it takes by'],
  ['visitAs', '{"orgin":"https://a.example"}', 'visitAs: unknown field "orgin"; it takes ip?, origin?'],
  ['put', '{"content":{"post":[]}}', 'put: unknown option "post"; expected one of name, domains, '],
  ['lens', '{"lens":{"fuz":1}}', 'lens: lens must be one of sparse, '],
  ['reset', '{"hard":true}', 'reset: unknown field "hard"; it takes no fields'],
])('%s refuses %s', async (command, body, message) => {
  const mock = createMock();
  await using server = await mock.listen();
  const path = command === 'worlds' ? command : `worlds/${mock.main.apiKey}/${command}`;
  const { status, error } = await postTo(`${server.url}/__mock/${path}`, body);
  expect([status, error?.slice(0, message.length)]).toEqual([400, message]);
});

test('a new world has the pace of the server unless it sets its own', async () => {
  const start = Date.now();
  await using server = await createMock().listen({ pace: 'real' });
  const first = await remoteWorld(server.url);
  await first.send('delay', { target: 'tags.list', duration: '5ms' });
  const headers = { 'X-API-Key': first.connection.apiKey };
  expect((await fetch(`${server.url}/public/tags`, { headers })).status).toBe(200);
  expect((await first.send('advance', { by: 0 })).now).toBeGreaterThanOrEqual(start);
  const second = await remoteWorld(server.url, { pace: 'virtual' });
  expect((await second.send('advance', { by: 0 })).now).toBe(Date.UTC(2026, 0, 1, 12));
});

test('a URL without a mock is refused with advice', async () => {
  const html = createServer((_, answer) => void answer.setHeader('content-type', 'text/html').end('<p>Hello</p>'));
  await once(html.listen(0, '127.0.0.1'), 'listening');
  const { port } = html.address() as AddressInfo;
  const refused = async (url: string) => {
    const error = await remoteWorld(url).catch(({ message }: Error) => message);
    expect(error).toContain(`no mock at "${url}"`);
    expect(error).toMatch(/start one with npx broadsheet-mock and pass the URL that it prints/);
    return error;
  };
  expect(await refused('http://127.0.0.1:1')).toMatch(/nothing answers there/);
  expect(await refused(`http://127.0.0.1:${port}`)).toMatch(
    /POST \S+\/__mock\/worlds returned 200, but not from a mock/,
  );
  expect(await refused('127.0.0.1:4832')).toMatch(/is not an http URL/);
  expect(await refused('localhost:4832')).toMatch(/is not an http URL/);
  html.close();
});
