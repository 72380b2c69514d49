import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import {
  AbortError,
  AuthenticationError,
  InputError,
  NetworkError,
  RateLimitError,
  RedirectError,
  ResponseError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../src/index.ts';
import { envelope, json } from './support/answers.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { closedPort } from './support/closed-port.ts';
import { samplePost, samplePosts } from './support/samples.ts';
import { serve } from './support/serve.ts';

test.each([
  [400, 'VALIDATION_ERROR', ValidationError],
  [401, 'UNAUTHORIZED', AuthenticationError],
  [429, 'RATE_LIMITED', RateLimitError],
  [500, 'INTERNAL_ERROR', ServerError],
] as const)('%i comes as its class, with all the envelope says', async (status, code, kind) => {
  const server = await serve((_, response) => json(response, status, envelope(status, code)));
  const error = await failureOf(client(server.url, { retry: 0 }).tags.list());
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({
    name: kind.kind,
    code,
    status,
    phase: 'answer',
    endpoint: 'tags.list',
    requestId: 'req_e',
    docs: `https://docs.example/errors/${code}`,
    attempts: [{ delay: 0, status, code, requestId: 'req_e' }],
  });
});

test('a failure without envelope is understood by its status', async () => {
  const server = await serve((_, response) => json(response, 400, { error: 'q is too short' }));
  const error = await failureOf(client(server.url).search('ab'));
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `search: q is too short. (${server.url}/public/search?q=ab&offset=0&limit=10)`,
    requestId: 'req_1',
  });
});

test('what is wrong with the client itself is told with its repair', async () => {
  const server = await serve((_, response, nth) => {
    const [status, code] = nth === 0 ? ([401, 'UNAUTHORIZED'] as const) : ([404, 'NOT_FOUND'] as const);
    json(response, status, envelope(status, code));
  });
  const blog = client(server.url);
  expect(String(await failureOf(blog.tags.list()))).toContain('Check apiKey.');
  expect(String(await failureOf(blog.tags.list()))).toContain('Check baseUrl.');
  expect(String(await failureOf(blog.tags.get('1')))).toMatch(/NOT_FOUND happened\. \(.*\/public\/tags\/1\)$/);
});

test('a body that stalls meets the deadline', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"success":true,');
  });
  const error = await failureOf(client(server.url, { timeout: 150 }).posts.get('1'));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'body', retryable: true });
  expect(server.seen).toHaveLength(1);
});

test('headers that never come meet the deadline', async () => {
  const server = await serve(() => {});
  const error = await failureOf(client(server.url).posts.get('1', { timeout: 100 }));
  expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'connect' });
});

test('a body that is cut is tried again, then told', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"success":true,');
    setTimeout(() => response.destroy(), 10);
  });
  const error = await failureOf(client(server.url, { retry: 1 }).posts.get('1'));
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ code: 'RESPONSE_CUT', phase: 'body', attempts: [{}, {}] });
});

test('a page of HTML with status 200 is no success', async () => {
  const server = await serve((_, response) => response.end('<!doctype html><h1>Sign in</h1>'));
  const error = await failureOf(client(server.url).posts.list());
  expect(error).toMatchObject({ code: 'RESPONSE_NOT_JSON', phase: 'parse', body: '<!doctype html><h1>Sign in</h1>' });
  expect(server.seen).toHaveLength(1);
});

test('JSON that is broken is told as that', async () => {
  const server = await serve((_, response) => response.end('{"success":true,"data"'));
  const error = await failureOf(client(server.url, { retry: 0 }).posts.list());
  expect(error).toMatchObject({ code: 'RESPONSE_INVALID_JSON', phase: 'parse' });
});

test('a refused connection is a NetworkError that says so', async () => {
  const error = await failureOf(client(await closedPort(), { retry: 1 }).posts.list());
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', phase: 'connect', attempts: [{}, {}] });
});

test('a redirect to another origin is refused, and the key stays', async () => {
  const other = await serve((_, response) => json(response, 200, { success: true, data: [] }));
  const server = await serve((_, response) => {
    response.writeHead(302, { location: `${other.url}/public/posts` });
    response.end();
  });
  const error = await failureOf(client(server.url).posts.list());
  expect(error).toBeInstanceOf(RedirectError);
  expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', status: 302 });
  expect(other.seen).toEqual([]);
});

test('a redirect within the origin is followed', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/moved') return json(response, 200, { success: true, data: samplePost('1') });
    response.writeHead(308, { location: '/moved' });
    response.end();
  });
  expect((await client(server.url).posts.get('1')).id).toBe('1');
  expect(server.seen[1]?.headers['x-api-key']).toBe(KEY);
});

test('an abort carries its reason, before and during a call', async () => {
  const server = await serve(() => {});
  const controller = new AbortController();
  const call = client(server.url).posts.get('1', { signal: controller.signal });
  await vi.waitUntil(() => server.seen.length === 1);
  controller.abort(new Error('left the page'));
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ code: 'ABORTED', cause: { message: 'left the page' } });
  expect(await failureOf(client(server.url).posts.get('1', { signal: controller.signal }))).toBeInstanceOf(AbortError);
  expect(server.seen).toHaveLength(1);
});

test.each(['', '.', '..'])('the id %j is refused before the network', async (id) => {
  const server = await serve((_, response) => json(response, 200, {}));
  expect(await failureOf(client(server.url).posts.get(id))).toBeInstanceOf(InputError);
  expect(server.seen).toEqual([]);
});

test('the signal of the client ends all its calls; each keeps its own beside it', async () => {
  const server = await serve(() => {});
  const lifetime = new AbortController();
  const own = new AbortController();
  const blog = client(server.url, { signal: lifetime.signal });
  const first = failureOf(blog.posts.get('1', { signal: own.signal }));
  const second = failureOf(blog.posts.get('2'));
  await vi.waitUntil(() => server.seen.length === 2);
  own.abort('mine');
  expect(await first).toMatchObject({ code: 'ABORTED', cause: 'mine' });
  lifetime.abort('over');
  expect(await second).toMatchObject({ code: 'ABORTED', cause: 'over' });
});

test('a hook that throws changes nothing, and is told of', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = await serve((_, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  const onEvent = (): void => {
    throw new Error('the log is full');
  };
  expect(await failureOf(client(server.url, { onEvent }).posts.get('1'))).toMatchObject({ code: 'NOT_FOUND' });
  expect(told).toHaveBeenCalledWith(expect.stringContaining('onEvent'), expect.any(Error));
  told.mockRestore();
});

test('a signal that lives long keeps nothing of the calls that used it', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePosts(0, 2) }));
  const { signal } = new AbortController();
  const blog = client(server.url, { signal });
  await blog.posts.list({ limit: 10, signal });
  await blog.posts.list({ limit: 10, signal }).collect();
  await failureOf(blog.posts.get('..', { signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
