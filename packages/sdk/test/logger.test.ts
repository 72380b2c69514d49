import { expect, test, vi } from 'vitest';
import type { Logger } from '../src/index.ts';
import { client, failureOf, KEY } from './support/client.ts';
import { envelope, json } from './support/responses.ts';
import { samplePost } from './support/samples.ts';
import { serve } from './support/serve.ts';

function recorder() {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return { lines, logger: { debug: write('debug'), warn: write('warn'), error: write('error') } satisfies Logger };
}

test('requests and responses go to debug, retries to warn, failures to error, and the key to none of them', async () => {
  const server = await serve((request, response, nth) => {
    const message = `bad key ${request.headers['x-api-key']}`;
    if (nth === 1) return json(response, 200, { success: true, data: samplePost('1') });
    json(response, nth === 0 ? 503 : 401, envelope(nth === 0 ? 503 : 401, 'NOT_TODAY', { message }));
  });
  const { lines, logger } = recorder();
  const blog = client(server.url, { logger, retry: { random: () => 0 } });
  await blog.posts.get('1');
  await failureOf(blog.posts.get('1', { retry: 0 }));
  const levels = lines.map((line) => line.split(' ').slice(0, 3).join(' '));
  expect(levels.map((line) => line.replace(/:$/, ''))).toEqual([
    'debug request 1',
    'debug response 1',
    'warn retry 2',
    'debug request 2',
    'debug response 2',
    'debug request 1',
    'debug response 1',
    'error failure 1',
  ]);
  expect(lines[0]).toContain(`debug request 1: posts.get: GET ${server.url}/public/posts/1  {"kind":"request",`);
  expect(lines[4]).toMatch(/^debug response 2: posts\.get: GET .* 200 \{.*"status":200/);
  expect(lines[7]).toContain('posts.get: bad key [key]. Check apiKey.');
  expect(lines.join()).not.toContain(KEY);
});

test('a post that does not exist is logged at the level debug', async () => {
  const server = await serve((_, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  const { lines, logger } = recorder();
  const { error } = await client(server.url, { logger }).posts.getBySlug('nowhere').safe();
  expect(error?.code).toBe('NOT_FOUND');
  expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual([
    'debug request',
    'debug response',
    'debug failure',
  ]);
});

test('a 404 that is not from the API is logged as an error, because baseUrl is wrong', async () => {
  const server = await serve((_, response) => response.writeHead(404).end('<h1>nginx</h1>'));
  const { lines, logger } = recorder();
  await failureOf(client(server.url, { logger }).posts.getBySlug('nowhere'));
  expect(lines.at(-1)).toMatch(/^error failure/);
});

test('without onDrift, differences from the contract are logged as warnings', async () => {
  const server = await serve((_, response) =>
    json(response, 200, { success: true, data: { ...samplePost('1'), title: 7 } }),
  );
  const { lines, logger } = recorder();
  await client(server.url, { logger, onDrift: undefined }).posts.get('1');
  expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
    expect.stringMatching(/^warn Broadsheet: posts\.get: title: expected string, received number .*"path":"title"/),
  ]);
});

test('a logger that throws does not fail the call; console is a valid logger; a call may have its own', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }));
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
  const full = (): never => {
    throw new Error('the disk is full');
  };
  const blog = client(server.url, { logger: { debug: full, warn: full, error: full } });
  expect((await blog.posts.get('1')).id).toBe('1');
  expect(reported).toHaveBeenCalledWith('Broadsheet: logger threw', expect.any(Error));
  await blog.posts.get('1', { logger: console });
  expect(debug).toHaveBeenCalledTimes(2);
  expect(String(await failureOf(blog.posts.get('1', { logger: {} as never })))).toContain(
    'must be a logger with debug,',
  );
  vi.restoreAllMocks();
});
