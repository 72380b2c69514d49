import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { envelope, json } from './support/responses.ts';
import { samplePost } from './support/samples.ts';
import { serve } from './support/serve.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const everything = (value: unknown): string =>
  [
    inspect(value, { depth: null, showHidden: true }),
    JSON.stringify(value) ?? '',
    String(value),
    value instanceof Error ? `${value.stack}` : '',
  ].join('\n');

test('no printed form of a client, an error, a result or an event contains the key', async () => {
  const echo = await serve((request, response, nth) =>
    nth === 0
      ? json(response, 400, { error: `bad key ${request.headers['x-api-key']}` })
      : response.end(`not json ${request.headers['x-api-key']}`),
  );
  const closed = await serve((_, response) => response.destroy());
  const events: unknown[] = [];
  const options = { retry: 0, onEvent: (event: unknown) => events.push(event) };
  const blog = client(echo.url, options);
  const views = [
    blog,
    blog.posts.list(),
    await failureOf(blog.posts.get('1')),
    await failureOf(blog.posts.get('1')),
    await failureOf(client(closed.url, options).posts.get('1')),
    await failureOf(blog.posts.get('1', { headers: { bad: 'x\ny' } })),
    await failureOf(blog.posts.get('..')),
    events,
  ];
  expect(echo.seen[0]?.headers['x-api-key']).toBe(KEY);
  for (const view of views) expect(everything(view)).not.toContain('SECRET');
});

test('data is returned unchanged, however short the key is', async () => {
  const title = 'A test of latest things';
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1', { title }) }));
  expect((await client(server.url, { apiKey: 'test' }).posts.get('1')).title).toBe(title);
});

// The key unchanged, escaped for a URL, and escaped for JSON: a server that echoes it sends one of these.
const AWKWARD = 'bsk_SECRET"/+%';
const forms = ['SECRET"/+%', 'SECRET%22%2F%2B%25', 'SECRET\\"/+%'];

/** Fails like a library over fetch: the error contains everything that is known, and its cause contains the request. */
function talkative(url: string, { headers }: RequestInit): Promise<Response> {
  const request = new Request(url, { headers: headers ?? {} });
  const cause = Object.assign(new Error(`sent ${JSON.stringify(headers)}`), { request, code: `E_${AWKWARD}` });
  return Promise.reject(new TypeError(`could not send ${encodeURIComponent(AWKWARD)}`, { cause }));
}

test('no error contains the key, in any encoding and from any source', async () => {
  const echo = await serve((request, response, nth) => {
    const key = String(request.headers['x-api-key']);
    const id = { 'x-request-id': `req_${key}` };
    if (nth === 0) return json(response, 200, { success: true, data: samplePost('1') }, id);
    if (nth === 1)
      return json(
        response,
        400,
        envelope(400, 'VALIDATION_ERROR', {
          requestId: key,
          message: key,
          details: { fields: [{ field: key, message: key, code: key }] },
        }),
        id,
      );
    if (nth === 2)
      return void response
        .writeHead(302, { location: `https://other.example/${encodeURIComponent(key)}`, ...id })
        .end();
    if (nth === 3) return json(response, 200, { message: key }, id);
    response.writeHead(200, id).end(`${'x'.repeat(490)}${key}`);
  });
  const events: unknown[] = [];
  const options = {
    apiKey: AWKWARD,
    retry: 0,
    validate: 'strict' as const,
    onEvent: (event: unknown) => events.push(event),
  };
  const blog = client(echo.url, options);
  const { requestId } = await blog.posts.get('1').withMeta();
  const views = [requestId, events];
  for (let nth = 0; nth < 5; nth++) views.push((await failureOf(blog.posts.get('1'))) as never);
  views.push(
    (await failureOf(client('https://blog.example', { ...options, fetch: talkative }).posts.get('1'))) as never,
  );
  expect(requestId).toBe('req_[key]');
  for (const view of views) {
    const text = everything(view);
    for (const form of forms) expect(text).not.toContain(form);
    expect(text).not.toMatch(/SECRET/);
  }
});

test('the error for a response that echoes the key shows the response without the key', async () => {
  const server = await serve(({ headers }, response, nth) =>
    nth === 0 ? response.end(`not json ${headers['x-api-key']}`) : json(response, 403, { saw: headers['x-api-key'] }),
  );
  const blog = client(server.url, { retry: 0 });
  const broken = { code: 'RESPONSE_INVALID_JSON', body: 'not json [key]', cause: { message: 'not valid JSON' } };
  expect(await failureOf(blog.posts.get('1'))).toMatchObject(broken);
  const foreign = await failureOf(blog.posts.get('1'));
  expect(foreign).toMatchObject({ code: 'RESPONSE_MISMATCH', body: '{"saw":"[key]"}' });
  expect((foreign as Error).cause).toBeUndefined();
});

test('an error of the caller without the key is the cause, unchanged', async () => {
  const own = new TypeError('no route');
  const error = await failureOf(
    client('https://blog.example', { retry: 0, fetch: () => Promise.reject(own) }).posts.get('1'),
  );
  expect((error as Error).cause).toBe(own);
});

test('a key that is not valid in a header is refused without being quoted', () => {
  for (const apiKey of ['SECRET\n', 'SEC RET', 'SECRETä', '']) {
    expect(() => createClient({ baseUrl: 'https://x.example', apiKey })).toThrow(/^(?!.*SECRET)createClient: apiKey/s);
  }
});

test('no header of the caller replaces the key', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: [] }));
  await client(server.url).tags.list({ headers: { 'X-Api-Key': 'other', 'x-own': '1' } });
  expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'x-own': '1' });
});

test('the key needs https, except on the same machine or with an explicit option', () => {
  const make =
    (baseUrl: string, allowInsecureHttp = false) =>
    () =>
      createClient({ baseUrl, apiKey: KEY, allowInsecureHttp });
  expect(make('http://blog.example')).toThrow('needs https');
  expect(make('ftp://blog.example')).toThrow('needs https');
  expect(make('ftp://localhost')).toThrow('needs https');
  expect(make('https://user:pass@blog.example')).toThrow('no user name, password');
  expect(make('http://blog.example', true)).not.toThrow();
  for (const url of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:80', 'https://blog.example/api/']) {
    expect(make(url)).not.toThrow();
  }
});

test.each(['localhost:4811', '127.0.0.1:4811/api', 'blog.example/api', 'blog.example:8443', '/api'])(
  'the base URL %s is refused with an example of a full one',
  (baseUrl) => {
    const words = 'write a full URL, such as https://blog.example/api.';
    expect(() => createClient({ baseUrl, apiKey: KEY })).toThrow(`baseUrl is "${baseUrl}": ${words}`);
  },
);

test('the URL and the key default to the environment', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: [] }));
  vi.stubEnv('BROADSHEET_BASE_URL', `${server.url}/api/`);
  vi.stubEnv('BROADSHEET_API_KEY', 'from-env');
  await createClient().tags.list();
  expect(server.seen[0]).toMatchObject({ url: '/api/public/tags', headers: { 'x-api-key': 'from-env' } });
  vi.stubEnv('BROADSHEET_API_KEY', '');
  expect(() => createClient()).toThrow('BROADSHEET_API_KEY');
});
