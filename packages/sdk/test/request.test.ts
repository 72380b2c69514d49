import { expect, expectTypeOf, test, vi } from 'vitest';
import { InputError, type Middleware, NotFoundError } from '../src/index.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { envelope, json } from './support/responses.ts';
import { samplePost } from './support/samples.ts';
import { serve } from './support/serve.ts';

test('request() reaches endpoints without a method in the client, with key, query and body', async () => {
  const server = await serve(({ method }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end();
    json(response, 200, method === 'GET' ? { success: true, data: [1], meta: { total: 1 } } : { stored: true });
  });
  const blog = client(`${server.url}/api/`);
  const archive = await blog.request<number[]>('GET', '/public/archive', {
    query: { year: 2026, q: 'a b', all: true, none: undefined },
  });
  expectTypeOf(archive).toEqualTypeOf<number[]>();
  expect(archive).toEqual([1]);
  expect(await blog.request('POST', '/public/notes', { body: { text: 'x' } })).toEqual({ stored: true });
  expect(await blog.request('DELETE', '/public/notes/1')).toBeUndefined();
  expect(server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    'GET /api/public/archive?year=2026&q=a+b&all=true ',
    'POST /api/public/notes {"text":"x"}',
    'DELETE /api/public/notes/1 ',
  ]);
  expect(server.seen[1]?.headers).toMatchObject({ 'x-api-key': KEY, 'content-type': 'application/json' });
  const { data, info } = await blog.request('GET', '/public/archive').safe();
  expect([data, info?.meta]).toEqual([[1], { total: 1 }]);
});

test('only a parameter that is undefined is left out', async () => {
  const server = await serve((_, response) => json(response, 200, {}));
  const query = { offset: 0, draft: false, q: '', none: undefined };
  await client(server.url).request('GET', '/public/archive', { query });
  expect(server.seen.map(({ url }) => url)).toEqual(['/public/archive?offset=0&draft=false&q=']);
});

test('the global fetch is looked up at each call, so a later replacement is used', async () => {
  const blog = client('https://blog.example');
  for (const title of ['before', 'after']) {
    vi.stubGlobal('fetch', async () => Response.json({ success: true, data: samplePost('1', { title }) }));
    expect((await blog.posts.get('1')).title).toBe(title);
  }
  vi.unstubAllGlobals();
});

test('only a successful response to request() may be empty', async () => {
  const server = await serve(({ method }, response) => response.writeHead(method === 'POST' ? 500 : 200).end());
  const blog = client(server.url, { retry: 0 });
  expect(await blog.request('GET', '/public/archive')).toBeUndefined();
  const refused = { name: 'ServerError', message: expect.stringContaining('returned 500 with an empty body') };
  expect(await failureOf(blog.request('POST', '/public/notes'))).toMatchObject(refused);
  const { name, message } = (await failureOf(blog.posts.get('1'))) as Error;
  expect([name, message]).toEqual(['ResponseError', expect.stringContaining('returned 200 with an empty body')]);
});

test('failures of request() are typed and have the endpoint "request"', async () => {
  const server = await serve((_, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  const error = await failureOf(client(server.url).request('GET', '/public/archive'));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({
    endpoint: 'request',
    message: expect.stringContaining('request: NOT_FOUND happened.'),
  });
});

test('a GET is repeated like other reads; a request that may have had an effect is not', async () => {
  const lost = await serve((_, response) => response.destroy());
  const blog = client(lost.url);
  for (const send of [
    () => blog.request('POST', '/public/notes', { body: {} }),
    () => blog.request('GET', '/public/ads/formats/BANNER'),
  ]) {
    lost.seen.length = 0;
    expect(await failureOf(send())).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(lost.seen).toHaveLength(1);
  }
  lost.seen.length = 0;
  await failureOf(blog.request('GET', '/public/archive'));
  expect(lost.seen).toHaveLength(3);
});

test.each([
  ['GET', 'public/posts', 'the path must be a path below baseUrl'],
  ['GET', '//evil.example/x', 'the path must be a path below baseUrl'],
  ['GET', '/\\evil.example', 'the path must be a path below baseUrl'],
  ['GET', 'https://evil.example', 'the path must be a path below baseUrl'],
  ['GET', '/a/../../admin', 'the path must be a path below baseUrl'],
  ['GET', '/a/%2E%2e/b', 'the path must be a path below baseUrl'],
  ['GET', '/a/.', 'the path must be a path below baseUrl'],
  ['GET', '/a?b=1', 'without a query; received'],
  ['GET', '/a#b', 'the path must be a path below baseUrl'],
  ['GET', undefined, 'the path must be a path below baseUrl'],
  ['get', '/a', 'the method must be GET, POST, PUT, PATCH or DELETE; received'],
  ['CONNECT', '/a', 'the method must be GET, POST, PUT, PATCH or DELETE; received'],
])('%s %j is refused before the key is sent', async (method, path, words) => {
  const server = await serve((_, response) => json(response, 200, {}));
  const error = await failureOf(client(server.url).request(method as 'GET', path as '/a'));
  expect(error).toBeInstanceOf(InputError);
  expect(String(error)).toContain(words);
  expect(server.seen).toEqual([]);
});

test('a GET with a body, and an option that does not exist, are refused', async () => {
  const blog = client('https://blog.example');
  expect(String(await failureOf(blog.request('GET', '/a', { body: {} })))).toContain(
    'a GET has no body: pass { query }.',
  );
  expect(String(await failureOf(blog.request('GET', '/a', { params: {} } as never)))).toContain(
    'unknown option "params"',
  );
});

test('with() adds to the existing fetch options and middleware', async () => {
  const inits: RequestInit[] = [];
  const fetch = async (_: string, init: RequestInit): Promise<Response> => {
    inits.push(init);
    return Response.json({ success: true, data: [] });
  };
  const blog = client('https://blog.example', { fetch, fetchOptions: { priority: 'low', cache: 'no-cache' } });
  await blog.with({ fetchOptions: { cache: 'force-cache' } }).tags.list();
  await blog.with({}).tags.list();
  expect(inits).toMatchObject([
    { priority: 'low', cache: 'force-cache' },
    { priority: 'low', cache: 'no-cache' },
  ]);
});

test('with() returns the same client with other options', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }));
  const kinds: string[] = [];
  const marking =
    (name: string): Middleware =>
    (request, next) => {
      request.headers.append('x-through', name);
      return next();
    };
  const blog = client(server.url, { headers: { 'x-site': 'a', 'x-own': 'a' }, middleware: [marking('a')] });
  const other = blog.with({
    headers: { 'x-own': 'b' },
    middleware: [marking('b')],
    onEvent: ({ kind }) => kinds.push(kind),
    timeout: undefined,
  });
  await other.posts.get('1');
  await blog.posts.get('1');
  const [first, second] = server.seen.map(({ headers }) => headers);
  expect(first).toMatchObject({ 'x-api-key': KEY, 'x-site': 'a', 'x-own': 'b', 'x-through': 'a, b' });
  expect(second).toMatchObject({ 'x-api-key': KEY, 'x-site': 'a', 'x-own': 'a', 'x-through': 'a' });
  expect(kinds).toEqual(['request', 'response']);
  await blog.with({}).posts.get('1');
  expect(server.seen[2]?.headers).toMatchObject({ 'x-site': 'a', 'x-own': 'a', 'x-through': 'a' });
  expect(() => blog.with({ timeOut: 1 } as never)).toThrow('unknown option "timeOut". Did you mean "timeout"?');
  expect(await failureOf(blog.with({ timeout: 0 }).posts.get('1'))).toMatchObject({ code: 'TIMEOUT' });
});
