import { execFileSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Headers as UndiciHeaders } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import {
  AbortError,
  AuthenticationError,
  type Blog,
  BroadsheetError,
  createClient,
  InputError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RedirectError,
  ResponseError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../src/index.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { closedPort } from './support/closed-port.ts';
import { envelope, json } from './support/responses.ts';
import { samplePost, samplePosts } from './support/samples.ts';
import { serve } from './support/serve.ts';

test.each([
  [400, 'VALIDATION_ERROR', ValidationError],
  [401, 'UNAUTHORIZED', AuthenticationError],
  [429, 'RATE_LIMITED', RateLimitError],
  [500, 'INTERNAL_ERROR', ServerError],
] as const)('%i becomes an error of its class, with everything in the envelope', async (status, code, kind) => {
  const server = await serve((_, response) => json(response, status, envelope(status, code)));
  const error = await failureOf(client(server.url, { retry: 0 }).tags.list());
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({
    name: kind.kind,
    code,
    status,
    phase: 'response',
    endpoint: 'tags.list',
    requestId: 'req_e',
    docs: `https://docs.example/errors/${code}`,
    attempts: [{ delay: 0, status, code, requestId: 'req_e' }],
  });
});

test('a failure without an envelope gets its class from its status', async () => {
  const server = await serve((_, response) => json(response, 400, { error: 'q is too short' }));
  const error = await failureOf(client(server.url).search('ab'));
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `search: q is too short. (${server.url}/public/search?q=ab&offset=0&limit=10)`,
    requestId: 'req_1',
  });
});

test('the error for a wrong key or URL says how to fix it', async () => {
  const server = await serve((_, response, nth) => {
    const [status, code] = nth === 0 ? ([401, 'UNAUTHORIZED'] as const) : ([404, 'NOT_FOUND'] as const);
    json(response, status, envelope(status, code));
  });
  const blog = client(server.url);
  expect(String(await failureOf(blog.tags.list()))).toContain('Check apiKey.');
  expect(String(await failureOf(blog.tags.list()))).toContain('Check baseUrl.');
  expect(String(await failureOf(blog.tags.get('1')))).toMatch(/NOT_FOUND happened\. \(.*\/public\/tags\/1\)$/);
});

const quiet = () => serve((_, response) => json(response, 200, { success: true, data: [] }));

const html = (status: number, headers: Record<string, string> = {}) =>
  serve((_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end('<h1>nginx</h1>');
  });

test.each([
  ['HTML', '<h1>nginx</h1>', 'RESPONSE_NOT_JSON', /returned 404 with an HTML page\. Check that baseUrl/],
  [
    'text',
    '404 page not found',
    'RESPONSE_NOT_JSON',
    /returned 404 with something that is not valid JSON\. Check that baseUrl/,
  ],
  ['nothing', '', 'RESPONSE_NOT_JSON', /returned 404 with an empty body\. Check that baseUrl/],
  [
    'other JSON',
    '{"detail":"Not Found"}',
    'RESPONSE_MISMATCH',
    /returned 404 with JSON that is not from the API\. Check/,
  ],
  [
    'Fastify',
    '{"error":"Not Found","statusCode":404}',
    'RESPONSE_MISMATCH',
    /JSON that is not from the API\. Check that baseUrl/,
  ],
])('a 404 of %s means a wrong URL, not a missing post', async (_, text, code, words) => {
  const server = await serve((__, response) => response.writeHead(404).end(text));
  const error = await failureOf(client(`${server.url}/api`).posts.getBySlug('hello'));
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).not.toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ code, status: 404, retryable: false, message: expect.stringMatching(words) });
});

test('a 404 in the short form of the API is a missing post', async () => {
  const server = await serve((_, response) => json(response, 404, { error: 'Post not found' }));
  const error = await failureOf(client(server.url).posts.getBySlug('hello'));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ code: 'NOT_FOUND' });
});

test('the error for an unknown path says how to fix it, and is not that of a missing post', async () => {
  const message = 'There is no endpoint at /api/public/posts/1.';
  const server = await serve((_, response) => json(response, 404, envelope(404, 'NO_SUCH_ENDPOINT', { message })));
  const error = await failureOf(client(`${server.url}/api`).posts.get('1'));
  expect(String(error)).toContain(`${message} Check baseUrl. (`);
  expect(error).toMatchObject({ name: 'ResponseError', code: 'NO_SUCH_ENDPOINT', status: 404, retryable: false });
  expect(error).not.toBeInstanceOf(NotFoundError);
});

test.each<[string, (blog: Blog) => PromiseLike<unknown>]>([
  ['posts.list', (blog) => blog.posts.list()],
  ['tags.list', (blog) => blog.tags.list()],
  ['search', (blog) => blog.search('word')],
  ['ads.click', (blog) => blog.ads.click('token')],
])('%s has no id, so its 404 is never a missing item', async (_, call) => {
  const server = await serve((__, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  const error = await failureOf(call(client(server.url)));
  expect(error).not.toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ name: 'ResponseError', message: expect.stringContaining('Check baseUrl.') });
});

test.each([
  [403, PermissionError, 'RESPONSE_NOT_JSON', 'an HTML page. A proxy or firewall in front of the API refused the call'],
  [
    429,
    RateLimitError,
    'RATE_LIMITED',
    'an HTML page. A proxy in front of the API limits the number of calls: make fewer. Wait 45 s.',
  ],
  [
    502,
    ServerError,
    'HTTP_502',
    'an HTML page. A proxy in front of the API could not reach it: check baseUrl, and that the server is running',
  ],
] as const)('the error for a %i from a proxy names the proxy', async (status, kind, code, words) => {
  const server = await html(status, { 'retry-after': status === 429 ? '45' : '' });
  const error = await failureOf(client(server.url, { retry: 0 }).posts.get('1'));
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ code, status, phase: 'response', message: expect.stringContaining(words) });
});

test('the time that the API asks to wait is in the message', async () => {
  const server = await serve((_, response) =>
    json(response, 429, envelope(429, 'RATE_LIMITED'), { 'retry-after': '45' }),
  );
  expect(String(await failureOf(client(server.url).posts.get('1')))).toContain('RATE_LIMITED happened. Wait 45 s. (');
});

test('the deadline covers a body that stalls', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"success":true,');
  });
  const error = await failureOf(client(server.url, { timeout: 1_000 }).posts.get('1'));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'body', retryable: true });
  expect(server.seen).toHaveLength(1);
});

test('the deadline covers the wait for headers', async () => {
  const server = await serve(() => {});
  const error = await failureOf(client(server.url).posts.get('1', { timeout: 100 }));
  const message = `posts.get: timed out after 100 ms, in the phase "connect". (${server.url}/public/posts/1)`;
  expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'connect', message });
});

test('a cut body is requested again, then reported', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"success":true,');
    setTimeout(() => response.destroy(), 10);
  });
  const error = await failureOf(client(server.url, { retry: 1 }).posts.get('1'));
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ code: 'RESPONSE_CUT', phase: 'body', attempts: [{}, {}] });
  expect(String(error)).toContain(
    `posts.get: GET ${server.url}/public/posts/1: the connection closed while the response was being read (`,
  );
});

test('an HTML page with status 200 is an error', async () => {
  const server = await serve((_, response) => response.end('<!doctype html><h1>Sign in</h1>'));
  const error = await failureOf(client(server.url).posts.list());
  expect(error).toMatchObject({ code: 'RESPONSE_NOT_JSON', phase: 'parse', body: '<!doctype html><h1>Sign in</h1>' });
  expect(server.seen).toHaveLength(1);
});

test('invalid JSON is reported as such', async () => {
  const server = await serve((_, response) => response.end('{"success":true,"data"'));
  const error = await failureOf(client(server.url, { retry: 0 }).posts.list());
  expect(error).toMatchObject({ code: 'RESPONSE_INVALID_JSON', phase: 'parse' });
});

test('a refused connection is reported as a NetworkError', async () => {
  const error = await failureOf(client(await closedPort(), { retry: 1 }).posts.list());
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', phase: 'connect', attempts: [{}, {}] });
  expect(String(error)).toMatch(/posts\.list: GET http:.* got no response \(.*ECONNREFUSED.*Check baseUrl/);
});

test('https on a port that speaks http is explained in one line', async () => {
  const server = await quiet();
  const url = server.url.replace('http:', 'https:');
  const { message } = (await failureOf(client(url, { retry: 0 }).posts.get('1'))) as Error;
  const words = 'got no response (SSL routines: wrong version number). If the server has no https, use http://';
  expect(message).toBe(`posts.get: GET ${url}/public/posts/1 ${words} in baseUrl.`);
});

test('a redirect to another origin is refused, and the key is not sent', async () => {
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

test('a redirect from https to http on the same host does not carry the key', async () => {
  const plain = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }));
  const { host } = new URL(plain.url);
  const fetch = async (url: string, init: RequestInit): Promise<Response> =>
    url.startsWith('https:')
      ? new Response(null, { status: 301, headers: { location: url.replace('s', '') } })
      : globalThis.fetch(url, init);
  const error = await failureOf(client(`https://${host}`, { fetch }).posts.get('1'));
  expect(error).toMatchObject({ name: 'RedirectError', code: 'REDIRECT_REFUSED' });
  expect(plain.seen).toEqual([]);
});

test('a request that failed because of an untrusted certificate is not repeated', async () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const error = await failureOf(client('https://blog.example', { fetch }).posts.get('1'));
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: false, attempts: [{}] });
});

test('a later header replaces an earlier one, regardless of the case of their names', async () => {
  const server = await quiet();
  const blog = client(server.url, { headers: { Authorization: 'Bearer old', Origin: 'https://client.example' } });
  await blog.tags.list({ headers: { authorization: 'Bearer new' } });
  await blog.with({ headers: { AUTHORIZATION: 'Bearer newer' } }).tags.list();
  await blog.ads.click('token', { visitor: { origin: 'https://visitor.example' } });
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer new', 'Bearer newer', 'Bearer old']);
  expect(server.seen[2]?.headers.origin).toBe('https://visitor.example');
});

test.each<[string, (blog: Blog) => { safe(): Promise<unknown> }]>([
  ['a circular body', (blog) => blog.request('POST', '/x', { body: circular() })],
  ['a bigint in a body', (blog) => blog.request('POST', '/x', { body: { n: 1n } })],
  ['a visitor without headers', (blog) => blog.ads.deliver('BANNER', { visitor: { headers: null } as never })],
  ['a visitor that is a string', (blog) => blog.ads.deliver('BANNER', { visitor: 'x' as never })],
  ['a visitor of a click', (blog) => blog.ads.click('token', { visitor: { headers: null } as never })],
  ['slots that are not slots', (blog) => blog.ads.place([circular()] as never)],
  ['headers that are a number', (blog) => blog.posts.get('1', { headers: 7 as never })],
])('safe() gives a BroadsheetError for %s', async (_, call) => {
  const server = await quiet();
  const { error } = (await call(client(server.url)).safe()) as { error: BroadsheetError };
  expect(error).toBeInstanceOf(BroadsheetError);
  expect(error).toMatchObject({ code: 'INVALID_INPUT' });
  expect(server.seen).toEqual([]);
});

function circular(): object {
  const body: Record<string, unknown> = {};
  body['self'] = body;
  return body;
}

test('a redirect within the origin is followed', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/moved') return json(response, 200, { success: true, data: samplePost('1') });
    response.writeHead(308, { location: '/moved' });
    response.end();
  });
  expect((await client(server.url).posts.get('1')).id).toBe('1');
  expect(server.seen[1]?.headers['x-api-key']).toBe(KEY);
});

test.each([
  ['http://[', '"http://[" is not a URL. Set baseUrl'],
  ['', 'the response has no Location header'],
  ['/public/posts/1', 'too many redirects, last to http://127.0.0.1'],
  ['https://other.example/x?y', 'the API key is not sent to another origin, https://other.example/x. Set baseUrl'],
])('the error for a redirect to %j says what is wrong with it', async (location, words) => {
  const server = await serve((_, response) => response.writeHead(302, location ? { location } : {}).end());
  const error = await failureOf(client(server.url).posts.get('1'));
  expect(error).toMatchObject({ name: 'RedirectError', code: 'REDIRECT_REFUSED', status: 302 });
  expect(String(error)).toContain(words);
  expect(server.seen).toHaveLength(location.startsWith('/') ? 4 : 1);
});

test('a redirect of a click is not followed, and the error says so', async () => {
  const server = await serve((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  const error = await failureOf(client(server.url).ads.click('token'));
  expect(String(error)).toMatch(/a POST is not sent again, to http.*\/elsewhere\. Set baseUrl/);
  expect(server.seen).toHaveLength(1);
});

test('no response is read past maxBodyBytes, however small it is when compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));
  expect(bomb.length).toBeLessThan(50_000);
  const server = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
  );
  const error = await failureOf(client(server.url).posts.get('1'));
  expect(error).toMatchObject({ name: 'ResponseError', code: 'RESPONSE_TOO_LARGE', phase: 'body', status: 200 });
  expect(String(error)).toContain('longer than 33554432 bytes');
  expect(server.seen).toHaveLength(1);
  const small = await serve((_, response) => json(response, 200, { success: true, data: samplePost('ä') }));
  const size = Buffer.byteLength(JSON.stringify({ success: true, data: samplePost('ä') }));
  expect((await client(small.url).posts.get('1', { maxBodyBytes: size })).id).toBe('ä');
  const late = client(small.url, { maxBodyBytes: size - 1 }).posts.get('1');
  expect(await failureOf(late)).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
});

test.each([
  [200, { message: 'Down for maintenance' }, 'ResponseError'],
  [200, { error: 'Down for maintenance' }, 'ResponseError'],
  [403, { message: 'Down for maintenance' }, 'PermissionError'],
  [404, { message: 'Down for maintenance', statusCode: 404 }, 'ResponseError'],
])('the error for a %i with %j has the URL, the status, the request id and the text', async (status, body, name) => {
  const server = await serve((_, response) => json(response, status, body));
  const error = await failureOf(client(server.url).posts.list());
  expect(error).toMatchObject({
    name,
    code: 'RESPONSE_MISMATCH',
    status,
    requestId: 'req_1',
    body: JSON.stringify(body),
  });
  expect(String(error)).toContain('says "Down for maintenance"');
  expect(String(error)).toContain(`(${server.url}/public/posts?offset=0&limit=10)`);
});

test('an abort carries its reason, before and during a call', async () => {
  const server = await serve(() => {});
  const controller = new AbortController();
  const call = client(server.url).posts.get('1', { signal: controller.signal });
  await expect.poll(() => server.seen.length).toBe(1);
  controller.abort(new Error('left the page'));
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ code: 'ABORTED', cause: { message: 'left the page' } });
  expect(String(error)).toContain(`posts.get: aborted by the caller. (${server.url}/public/posts/1)`);
  expect(await failureOf(client(server.url).posts.get('1', { signal: controller.signal }))).toBeInstanceOf(AbortError);
  expect(server.seen).toHaveLength(1);
});

test.each([
  [{ timeout: '5s' }, 'timeout must be a number of milliseconds, or false; received "5s".'],
  [{ timeout: Number.NaN }, 'timeout must be a number of milliseconds, or false; received NaN.'],
  [{ timeout: -1 }, 'timeout must be a number of milliseconds, or false; received -1.'],
  [{ signal: new AbortController() }, 'signal must be an AbortSignal; received an object (AbortController).'],
  [{ fetch: 'x' }, 'fetch must be a function; received "x".'],
  [{ headers: 'X-Own: 1' }, 'headers must be an object; received "X-Own: 1".'],
  [{ retry: true }, 'retry must be a number, false or { limit }; received true.'],
  [{ retry: { limit: '3' } }, 'limit must be a number of 0 or more; received "3".'],
  [{ validate: 'Strict' }, `validate must be 'report', 'strict' or 'off'; received "Strict".`],
  [{ onEvent: {} }, 'onEvent must be a function; received an object (Object).'],
  [null, 'the options must be an object; received null.'],
])('the option %j is refused, for the client and for a call', async (options, words) => {
  const server = await quiet();
  const unfit = options as object;
  const given = options === null ? unfit : { baseUrl: server.url, apiKey: KEY, ...unfit };
  expect(() => createClient(given)).toThrow(`createClient: ${words}`);
  const blog = client(server.url);
  const calls: Record<string, { safe(): Promise<unknown> }> = {
    'posts.get': blog.posts.get('1', unfit),
    'posts.list': blog.posts.list(unfit),
    'tags.posts': blog.tags.posts('1', unfit),
    search: blog.search('abc', unfit),
    'ads.deliver': blog.ads.deliver('BANNER', unfit),
    'ads.deliverBatch': blog.ads.deliverBatch([], unfit),
    'ads.click': blog.ads.click('token', unfit),
    'ads.impression': blog.ads.impression(unfit),
  };
  for (const [endpoint, call] of Object.entries(calls)) {
    const error = { name: 'InputError', code: 'INVALID_INPUT', endpoint, message: `${endpoint}: ${words}` };
    expect(await call.safe()).toMatchObject({ ok: false, error });
  }
  expect(await failureOf(blog.posts.list(unfit).collect())).toMatchObject({ code: 'INVALID_INPUT' });
  expect(server.seen).toEqual([]);
});

test('an option that does not exist is refused by its name', async () => {
  const server = await quiet();
  const blog = client(server.url);
  const unfit = (options: object) => options as never;
  expect(() => createClient(unfit({ baseURL: server.url, apiKey: KEY }))).toThrow(
    'createClient: unknown option "baseURL". Did you mean "baseUrl"?',
  );
  expect(() => createClient({ baseUrl: server.url, apiKey: KEY, retry: unfit({ retries: 1 }) })).toThrow(
    'unknown option "retries". Known options: limit, baseDelay',
  );
  for (const [call, words] of [
    [blog.posts.get('1', unfit({ timeOut: 5 })), 'posts.get: unknown option "timeOut". Did you mean "timeout"?'],
    [blog.posts.list(unfit({ page: 2 })), 'posts.list: unknown option "page". Known options: limit, offset, signal,'],
    [
      blog.tags.posts('t', unfit({ limit: 2 })),
      'tags.posts: unknown option "limit". Known options: page, pageSize, signal,',
    ],
    [
      blog.ads.deliver('BANNER', unfit({ keepalive: true })),
      'ads.deliver: unknown option "keepalive". Known options: visitor, trust,',
    ],
    [
      blog.ads.click('token', unfit({ keepAlive: true })),
      'ads.click: unknown option "keepAlive". Did you mean "keepalive"?',
    ],
    [blog.posts.get('1', unfit({ constructor: 1 })), 'unknown option "constructor". Known options: signal'],
  ] as const) {
    const { error } = await call.safe();
    expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining(words) });
  }
  expect(server.seen).toEqual([]);
  // Options that are not set are absent.
  await blog.posts.list(unfit({ page: undefined }));
});

test('a fetch that returns no response is reported', async () => {
  const fetch = (async () => {}) as unknown as () => Promise<Response>;
  const error = await failureOf(client('https://blog.example', { fetch }).posts.get('1'));
  const message = 'posts.get: the result of fetch must be a Response; received undefined.';
  expect(error).toMatchObject({ name: 'CallbackError', message, attempts: [{}] });
});

test.each([null, 7, 'https://blog.example'])('with(%j) is refused, as createClient(%j) is', (options) => {
  const words = 'createClient: the options must be an object; received ';
  expect(() => client('https://blog.example').with(options as never)).toThrow(words);
  expect(() => createClient(options as never)).toThrow(words);
});

test('a string that fetch rejects with is quoted', async () => {
  const fetch = (): Promise<Response> => Promise.reject('offline');
  const error = await failureOf(client('https://blog.example', { fetch, retry: 0 }).posts.get('1'));
  expect(error).toMatchObject({
    code: 'NETWORK_ERROR',
    message: expect.stringContaining('got no response (offline).'),
  });
});

test('a redirect that a browser hides from scripts is refused', async () => {
  const opaque = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null, text: async () => '' };
  const fetch = async (): Promise<Response> => opaque as Response;
  const error = await failureOf(client('https://blog.example', { fetch }).posts.get('1'));
  expect(error).toMatchObject({
    name: 'RedirectError',
    message: expect.stringContaining('a browser hides the target'),
  });
});

test('the option headers accepts a Headers object', async () => {
  const server = await quiet();
  const blog = client(server.url, { headers: new Headers({ 'X-Site': 'a' }) });
  await blog.tags.list({ headers: new Headers({ 'X-Own': 'b' }) });
  expect(server.seen[0]?.headers).toMatchObject({ 'x-site': 'a', 'x-own': 'b', 'x-api-key': KEY });
});

test('an option that is undefined counts as not set', async () => {
  const server = await serve((_, response) => json(response, 503, envelope(503, 'UNAVAILABLE')));
  const blog = client(server.url, { retry: { limit: 1, maxDelay: undefined } });
  const options = { timeout: undefined, headers: undefined, retry: { limit: undefined }, validate: undefined };
  await failureOf(blog.posts.list({ ...options, limit: undefined }));
  expect(server.seen.map(({ url }) => url)).toEqual(Array(2).fill('/public/posts?offset=0&limit=10'));
});

test.each([
  [undefined, 'undefined'],
  [{ id: '1' }, 'an object (Object)'],
  [null, 'null'],
])('%j is not an id, slug, term or token', async (value, description) => {
  const server = await quiet();
  const blog = client(server.url);
  const text = value as unknown as string;
  for (const [call, name] of [
    [blog.posts.get(text), 'posts.get: id'],
    [blog.posts.getBySlug(text), 'posts.getBySlug: slug'],
    [blog.search(text), 'search: q'],
    [blog.ads.click(text), 'ads.click: the token'],
  ] as const) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toMatch(new RegExp(`${name} must be .*; received ${description.replace(/[()]/g, '\\$&')}`));
  }
  expect(server.seen).toEqual([]);
});

test.each(['', '.', '..'])('the id %j is refused before the network', async (id) => {
  const server = await serve((_, response) => json(response, 200, {}));
  expect(await failureOf(client(server.url).posts.get(id))).toBeInstanceOf(InputError);
  expect(server.seen).toEqual([]);
});

test('the reason of AbortSignal.timeout is the cause', async () => {
  const server = await serve(() => {});
  const error = await failureOf(client(server.url).posts.get('1', { signal: AbortSignal.timeout(50) }));
  expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: { name: 'TimeoutError' } });
});

test('the signal of the client aborts all its calls; the signal of a call still aborts that call', async () => {
  const server = await serve(() => {});
  const lifetime = new AbortController();
  const own = new AbortController();
  const blog = client(server.url, { signal: lifetime.signal });
  const first = failureOf(blog.posts.get('1', { signal: own.signal }));
  const second = failureOf(blog.posts.get('2'));
  await expect.poll(() => server.seen.length).toBe(2);
  own.abort('mine');
  expect(await first).toMatchObject({ code: 'ABORTED', cause: 'mine' });
  lifetime.abort('over');
  expect(await second).toMatchObject({ code: 'ABORTED', cause: 'over' });
});

test('calls leave no listeners on their signal', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePosts(0, 2) }));
  const { signal } = new AbortController();
  const blog = client(server.url, { signal });
  await blog.posts.list({ limit: 10, signal });
  await blog.posts.list({ limit: 10, signal }).collect();
  await failureOf(blog.posts.get('..', { signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('Headers of the undici package are accepted for the client, a call and a visitor', async () => {
  const server = await quiet();
  const own = (fields: Record<string, string>) => new UndiciHeaders(fields) as unknown as Headers;
  const blog = client(server.url, { headers: own({ 'X-Site': 'a', Authorization: 'Bearer old' }) });
  await blog.tags.list({ headers: own({ authorization: 'Bearer new' }) });
  await blog.with({ headers: own({ 'X-SITE': 'b' }) }).tags.list();
  const request = { headers: own({ Origin: 'https://visitor.example', 'User-Agent': 'a browser' }) } as Request;
  await blog.ads.click('token', { visitor: request });
  expect(server.seen.map(({ headers }) => [headers['x-site'], headers.authorization])).toEqual([
    ['a', 'Bearer new'],
    ['b', 'Bearer old'],
    ['a', 'Bearer old'],
  ]);
  expect(server.seen[2]?.headers.origin).toBe('https://visitor.example');
});

test('the self-signed certificate of a real server is refused, and the request is not repeated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  let connections = 0;
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) });
  server.on('connection', () => connections++).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const error = await failureOf(client(`https://127.0.0.1:${port}`).posts.get('1'));
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: false, attempts: [{}] });
  expect(connections).toBe(1);
});
