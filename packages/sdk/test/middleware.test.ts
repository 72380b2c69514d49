import { expect, test, vi } from 'vitest';
import { BroadsheetError, type Middleware, NetworkError } from '../src/index.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { closedPort } from './support/closed-port.ts';
import { envelope, json } from './support/responses.ts';
import { samplePost } from './support/samples.ts';
import { serve } from './support/serve.ts';

const post = { success: true, data: samplePost('1') };

test('middleware runs once for each attempt, outermost first, and never sees the key', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0 ? json(response, 503, envelope(503, 'UNAVAILABLE')) : json(response, 200, post),
  );
  const seen: string[] = [];
  const named =
    (name: string): Middleware =>
    async (request, next) => {
      expect(JSON.stringify([...request.headers])).not.toContain('SECRET');
      seen.push(`${name} ${request.endpoint} ${request.method} ${request.attempt}`);
      const response = await next();
      seen.push(`${name} ${response.status}`);
      return response;
    };
  const blog = client(server.url, { middleware: [named('client'), named('second')] });
  await blog.posts.get('1', { middleware: [named('call')] });
  const attempt = (nth: number, status: number): string[] => [
    ...['client', 'second', 'call'].map((name) => `${name} posts.get GET ${nth}`),
    ...['call', 'second', 'client'].map((name) => `${name} ${status}`),
  ];
  expect(seen).toEqual([...attempt(1, 503), ...attempt(2, 200)]);
});

test('a middleware may set headers, but not the key', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const own: Middleware = (request, next) => {
    request.headers.set('x-trace', `${request.endpoint}/${request.attempt}`);
    request.headers.set('X-API-Key', 'mine');
    return next();
  };
  await client(server.url, { middleware: [own] }).posts.get('1');
  expect(server.seen[0]?.headers).toMatchObject({
    'x-trace': 'posts.get/1',
    'x-api-key': KEY,
    accept: 'application/json',
  });
});

test('a middleware may respond without a request, and read the response', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const stored = new Map<string, Response>();
  const storing: Middleware = async ({ url }, next) => {
    const response = stored.get(url) ?? (await next());
    stored.set(url, response.clone());
    return response;
  };
  const blog = client(server.url, { middleware: [storing] });
  for (let nth = 0; nth < 3; nth++) expect((await blog.posts.get('1')).id).toBe('1');
  expect(server.seen).toHaveLength(1);
});

test('a middleware receives the typed error of a network failure, and the response after redirects', async () => {
  const errors: unknown[] = [];
  const statuses: number[] = [];
  const watching: Middleware = async (_, next) => {
    try {
      const response = await next();
      statuses.push(response.status);
      return response;
    } catch (error) {
      errors.push(error);
      throw error;
    }
  };
  const moved = await serve(({ url }, response) => {
    if (url === '/there') return json(response, 200, post);
    response.writeHead(302, { location: '/there' }).end();
  });
  await client(moved.url, { middleware: [watching] }).posts.get('1');
  expect(statuses).toEqual([200]);
  const error = await failureOf(client(await closedPort(), { middleware: [watching], retry: 0 }).posts.get('1'));
  expect(error).toBeInstanceOf(NetworkError);
  expect(errors).toEqual([error]);
});

test('no error that a middleware sees contains the key', async () => {
  const seen: unknown[] = [];
  const watching: Middleware = (_, next) =>
    next().catch((error: unknown) => {
      seen.push(String(error), String((error as Error).cause));
      throw error;
    });
  const fetch = (_: string, { headers }: RequestInit): Promise<Response> =>
    Promise.reject(new TypeError(`could not send ${JSON.stringify(headers)}`));
  await failureOf(client('https://blog.example', { middleware: [watching], fetch, retry: 0 }).posts.get('1'));
  expect(seen).toHaveLength(2);
  expect(seen.join()).toContain('[key]');
  expect(seen.join()).not.toContain(KEY);
});

test('a middleware that throws or returns no response fails the call with an error that names the cause', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const broken: Middleware = () => {
    throw new Error(`broken, with ${KEY}`);
  };
  const error = await failureOf(client(server.url, { middleware: [broken] }).posts.get('1'));
  expect(error).toMatchObject({
    name: 'CallbackError',
    code: 'CALLBACK_FAILED',
    message: 'posts.get: middleware failed: broken, with [key].',
    endpoint: 'posts.get',
  });
  const nothing = (async () => undefined) as unknown as Middleware;
  const message = 'posts.get: the result of middleware must be a Response; received undefined.';
  expect(await failureOf(client(server.url, { middleware: [nothing] }).posts.get('1'))).toMatchObject({
    name: 'CallbackError',
    message,
  });
});

test('the deadline covers middleware, before and after the request', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const before: Middleware = () => new Promise(() => {});
  const after: Middleware = async (_, next) => {
    await next();
    return new Promise(() => {});
  };
  for (const middleware of [[before], [after]]) {
    const error = await failureOf(client(server.url, { middleware, timeout: 50 }).posts.get('1'));
    expect(error).toMatchObject({ code: 'TIMEOUT' });
  }
});

test('a read with its own middleware is not shared; middleware of the client runs once for a shared read', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const counting = vi.fn<Middleware>((_, next) => next());
  const blog = client(server.url, { middleware: [counting] });
  await Promise.all([blog.posts.get('1'), blog.posts.get('1')]);
  expect(counting).toHaveBeenCalledTimes(1);
  await Promise.all([blog.posts.get('1', { middleware: [] }), blog.posts.get('1', { middleware: [] })]);
  expect(server.seen).toHaveLength(3);
});

test('middleware that is not an array of functions is refused', async () => {
  const error = await failureOf(client('https://blog.example').posts.get('1', { middleware: [1] as never }));
  expect(error).toBeInstanceOf(BroadsheetError);
  expect(String(error)).toContain('middleware must be an array of functions; received an array.');
});
