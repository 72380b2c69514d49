import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import { type RemoteWorld, remoteWorld } from './remote-world.ts';

test('the calls that control a world in its own process control it from another process, with await', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  for (const world of [mock.world(), await remoteWorld(server.url, { name: 'e2e' })]) {
    const headers = { 'X-API-Key': world.connection.apiKey, 'Content-Type': 'application/json' };
    const get = (path: string) => fetch(`${server.url}${path}`, { headers });

    const outage = await world.fail('tags.list', [503, 200, 'reset']);
    expect([(await get('/public/tags')).status, (await get('/public/tags')).status]).toEqual([503, 200]);
    await expect(get('/public/tags')).rejects.toThrow(TypeError);
    expect([await outage.hits, (await world.journal).map(({ status }) => status)]).toEqual([3, [503, 200, 0]]);
    const down = await world.fail('*', 503);
    expect((await get('/public/tags')).status).toBe(503);
    await down.lift();
    expect((await get('/public/tags')).status).toBe(200);

    const [first, second] = [await world.hold('search', { times: 1 }), await world.hold('search', { times: 1 })];
    const responses = [get('/public/search?q=the'), get('/public/search?q=night')];
    await first.arrived();
    await second.arrived();
    expect([await first.held, await second.held]).toEqual([1, 1]);
    await second.release();
    await first.release();
    expect(await Promise.all(responses.map(async (response) => (await response).status))).toEqual([200, 200]);
    expect((await world.calls).search.map(({ query }) => query.q).sort()).toEqual(['night', 'the']);

    const clean = await world.snapshot();
    const ad = (await (await get('/public/ads/formats/BANNER')).json()) as { id: string; clickToken: string };
    expect(await world.ad(ad.id)).toEqual({ impressions: 1, viewable: 0, clicks: 0 });
    expect((await world.tokens).valid.map(({ token }) => token)).toEqual([ad.clickToken]);
    await world.clock.advance('10m');
    expect((await world.tokens).expired).toHaveLength(1);
    await world.restore(clean);
    expect([await world.ad(ad.id), await world.clock.now()]).toEqual([
      { impressions: 0, viewable: 0, clicks: 0 },
      Date.UTC(2026, 0, 1, 12),
    ]);

    await world.put({ tags: [{ id: 'new', name: 'New' }], posts: [{ id: 'post-1', title: 'Another title' }] });
    await world.lens('unwrapped');
    expect(await (await get('/public/tags/new')).json()).toMatchObject({ name: 'New' });
    await world.lens(undefined);
    // The compiler cannot choose an overload for both kinds at once.
    await (world as RemoteWorld).answer('posts.get', { subtitle: 'Patched' }, { times: 1 });
    expect((await (await get('/public/posts/post-1')).json()).data).toMatchObject({
      title: 'Another title',
      subtitle: 'Patched',
    });
    await world.remove({ posts: ['post-1'] });
    expect([(await get('/public/posts/post-1')).status, (await world.blog).posts?.length]).toEqual([404, 31]);

    await get('/public/posts?per_page=3');
    expect(await world.offContract).toHaveLength(1);
    await expect(async () => world.assertOnContract()).rejects.toThrow(/per_page: posts.list has no such query/);
    await world.forgive();
    await world.assertOnContract();
    await world.fail('search', 500, { nth: 2 });
    expect(await world.unfinished()).toEqual(["fail('search', 500) matched no request"]);

    const webhook = await world.webhook('post.updated', { id: 'post-2', url: 'https://site.example/hook' });
    expect([webhook.url, webhook.method, (await webhook.json()).data.id]).toEqual([
      'https://site.example/hook',
      'POST',
      'post-2',
    ]);
    const preview = await fetch(`${server.url}/preview/post`, {
      headers: { Authorization: `Bearer ${await world.preview('post-2')}` },
    }).then(({ status }) => status);
    expect([preview, world.webhookSecret]).toEqual([200, expect.stringMatching(/^whsec_/)]);

    await world.reset();
    expect((await get('/public/tags/new')).status).toBe(404);
  }
});

test('a dropped remote world returns 401, and its name can be used again', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url, { name: 'again' });
  await world.drop();
  const headers = { 'X-API-Key': world.connection.apiKey };
  expect((await fetch(`${server.url}/public/tags`, { headers })).status).toBe(401);
  await expect(world.reset()).rejects.toThrow(/no world has the key/);
  expect((await remoteWorld(server.url, { name: 'again' })).name).toBe('again');
});

test('a function is refused instead of left out', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  await expect(world.fail('search', 500, { when: () => true })).rejects.toThrow(
    /when: a function cannot be sent to another process; pass values, such as/,
  );
  await expect(world.answer('tags.list', () => [])).rejects.toThrow(
    /answer: a function cannot be sent to another process; pass a JSON merge patch/,
  );
  expect(await world.unfinished()).toEqual([]);
});

test('the control plane lists its worlds, and the methods of a world', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url, { name: 'seen' });
  await world.fail('search', 500);
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}/__mock${path}`)).json();
  const seen = {
    name: 'seen',
    apiKey: world.connection.apiKey,
    now: Date.UTC(2026, 0, 1, 12),
    calls: 0,
    unfinished: ["fail('search', 500) matched no request"],
  };
  expect(await read('/worlds')).toEqual([expect.objectContaining({ name: 'main', calls: 0 }), seen]);
  const response = await fetch(`${server.url}/__mock`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await response.text();
  for (const line of [
    `${server.url}/public/`,
    'POST   /__mock/worlds/{key}/{method}',
    '  clock: now, advance, waiting',
  ])
    expect(text).toContain(line);
});

test('only loopback and allowed origins and hosts control a mock', async () => {
  const mock = createMock();
  await using server = await mock.listen({ allowOrigins: ['https://stories.example'] });
  const send = (headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number | undefined; text: string; cors: unknown }>((resolve, reject) => {
      const sent = request(`${server.url}/__mock/worlds`, { method, headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode, text, cors: response.headers['access-control-allow-origin'] });
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
  await expect(mock.listen({ allowOrigins: ['stories.example'] })).rejects.toThrow(
    /must be a list with an origin such as/,
  );
});

test('invalid arguments are refused with the reason', async () => {
  await using server = await createMock().listen();
  const world = await remoteWorld(server.url);
  await expect(world.fail('tags.list', 404 as 401)).rejects.toThrow(/tags.list never responds with 404/);
  await expect(world.restore({ world: 'none' })).rejects.toThrow(
    /expected a snapshot of world world-1; received one of/,
  );
  await expect(world.clock.advance('soon' as '1s')).rejects.toThrow(/is not a duration/);
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
  for (const [method, url] of [
    ['GET', `${here}/reset`],
    ['DELETE', `${here}/reset`],
    ['PUT', `${here}/reset`],
    ['GET', here],
    ['POST', here],
    ['DELETE', `${control}/worlds`],
    ['POST', control],
  ] as const) {
    expect(await postTo(url, undefined, method)).toEqual({
      status: 404,
      error: `there is no ${method} ${new URL(url).pathname}; GET /__mock lists the methods and paths`,
    });
  }
  for (const path of ['/wolrds', `/wolrds/${world.apiKey}/reset`, '/banana', '/worlds//reset', '/worlds/a/b/c/d']) {
    expect(await postTo(`${control}${path}`)).toEqual({
      status: 404,
      error: expect.stringMatching(/^there is no POST \S+; GET \/__mock lists the methods and paths$/),
    });
  }
  expect(world.blog.tags?.some(({ id }) => id === 'new')).toBe(true);
  expect(await postTo(`${here}/nonsense`)).toEqual({
    status: 404,
    error: expect.stringMatching(/^unknown method "nonsense"; expected one of blog, put, /),
  });
  for (const method of ['fetch', 'constructor', '__proto__', 'clock/set', 'clock/sleep']) {
    expect((await postTo(`${here}/${method}`)).status).toBe(404);
  }
  expect((await postTo(`${here}/fault-1/lift`)).error).toBe('there is no fault-1; the world has clock');
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
  ['worlds', '{"pace":"reel"}', 'mock.world: pace must be one of virtual, real; received "reel"'],
  ['worlds', '{"paze":"real"}', 'mock.world: unknown option "paze"; expected one of name, '],
  ['worlds', '{"blog":{"post":[]}}', 'blog blog-sample: name: is required; body: unknown: post'],
  ['worlds', '{"name":', 'the body is not JSON: Unexpected end of JSON input'],
  ['fail', '{"target":"search"}', 'fail: expected a list of arguments; received {"target":"search"}'],
  ['fail', '["search",500,{"time":1}]', 'fail: unknown option "time"; expected one of times, '],
  ['fail', '[]', 'fail: target must be one of *, posts.list, '],
  ['fail', '["search"]', 'fail: failure must be one of a status of the contract, reset, '],
  ['clock/advance', '[]', 'undefined is not a duration; '],
  ['visitAs', '[{"orgin":"https://a.example"}]', 'visitAs: unknown option "orgin"; expected one of ip, origin'],
  ['put', '[{"post":[]}]', 'put: unknown option "post"; expected one of name, domains, '],
  ['put', '[]', 'put: expected an object with name, '],
  ['lens', '[{"fuz":1}]', 'lens: lens must be one of sparse, '],
  ['ad', '[]', 'the blog has no ad undefined; it has '],
])('%s refuses %s', async (method, body, message) => {
  const mock = createMock();
  await using server = await mock.listen();
  const path = method === 'worlds' ? method : `worlds/${mock.main.apiKey}/${method}`;
  const { status, error } = await postTo(`${server.url}/__mock/${path}`, body);
  expect([status, error?.slice(0, message.length)]).toEqual([400, message]);
});

test('a new world has the pace of the server unless it sets its own', async () => {
  const start = Date.now();
  await using server = await createMock().listen({ pace: 'real' });
  const first = await remoteWorld(server.url);
  await first.delay('tags.list', '5ms');
  const headers = { 'X-API-Key': first.connection.apiKey };
  expect((await fetch(`${server.url}/public/tags`, { headers })).status).toBe(200);
  expect(await first.clock.now()).toBeGreaterThanOrEqual(start);
  const second = await remoteWorld(server.url, { pace: 'virtual' });
  expect(await second.clock.now()).toBe(Date.UTC(2026, 0, 1, 12));
});

test('a URL without a mock is refused with advice', async () => {
  const html = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<p>Hello</p>'));
  await once(html.listen(0, '127.0.0.1'), 'listening');
  const { port } = html.address() as AddressInfo;
  const refused = async (url: string) => {
    const error = await remoteWorld(url).catch(({ message }: Error) => message);
    expect(error).toContain(`no mock at "${url}"`);
    expect(error).toMatch(/start one with npx --no -- broadsheet-mock and pass the URL that it prints/);
    return error;
  };
  expect(await refused('http://127.0.0.1:1')).toMatch(/nothing responds there/);
  expect(await refused(`http://127.0.0.1:${port}`)).toMatch(
    /POST \S+\/__mock\/worlds returned 200, but not from a mock/,
  );
  expect(await refused('127.0.0.1:4832')).toMatch(/is not an http URL/);
  expect(await refused('localhost:4832')).toMatch(/is not an http URL/);
  html.close();
});
