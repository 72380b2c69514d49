import { createHash } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { sitePage } from './site.ts';

const folder = temporaryFolder();
let site: URL;
beforeAll(async () => {
  await folder.write({
    'secret.txt': 'secret',
    'site/index.html': '<h1>Home</h1><script>start()</script><script id="dark-mode">dark()</script>',
    'site/guides/node.html.br': brotliCompressSync('<h1>Node</h1>'),
    'site/errors/index.html': '<h1>Errors</h1>',
    'site/assets/app.x1.js': 'run()',
    'site/names/@scope/a.b.html': '<h1>Dots</h1>',
    'site/names/Client.constructor.html': '<h1>Constructor</h1>',
  });
  site = pathToFileURL(`${folder.path}/site/`);
});
const get = (path: string, headers: Record<string, string> = {}) =>
  sitePage(path, new Request(`http://x/docs/${path}`, { headers }), { site, api: 'https://blog.example' });

test.each([
  ['', 'Home'],
  ['guides/node', 'Node'],
  ['guides/node.html', 'Node'],
  ['errors/', 'Errors'],
  ['names/@scope/a.b', 'Dots'],
  ['names/Client.constructor', 'Constructor'],
])('the page of "%s" is %s', async (path, heading) => {
  const response = await get(path);
  expect(await response?.text()).toContain(`<h1>${heading}</h1>`);
  expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('a folder redirects to its page, relative to the path of the server', async () => {
  const response = await get('errors');
  expect([response?.status, response?.headers.get('location')]).toEqual([308, 'errors/']);
});

test('only the inline scripts that a page was built with may run', async () => {
  const policy = (await get(''))?.headers.get('content-security-policy') ?? '';
  const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
  expect(policy).toContain(`script-src 'self' ${hash('start()')} ${hash('dark()')};`);
  expect(policy).toContain("connect-src 'self' https://blog.example;");
  expect(policy).toContain("default-src 'none'");
});

test('a page is sent with brotli to clients that accept it, and is not sent again if it is unchanged', async () => {
  const response = await get('guides/node', { 'accept-encoding': 'gzip, br' });
  expect(response?.headers.get('content-encoding')).toBe('br');
  expect(new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(
    Uint8Array.from(brotliCompressSync('<h1>Node</h1>')),
  );
  const etag = response?.headers.get('etag') ?? '';
  expect((await get('guides/node', { 'accept-encoding': 'br', 'if-none-match': etag }))?.status).toBe(304);
  // A proxy that compresses a response makes its tag weak.
  expect((await get('guides/node', { 'accept-encoding': 'br', 'if-none-match': `W/${etag}` }))?.status).toBe(304);
  expect((await get('guides/node', { 'if-none-match': etag }))?.status).toBe(200);
});

test('a file is unpacked and hashed once, and again when it was changed', async () => {
  const path = `${folder.path}/site/guides/changing.html`;
  const written = new Date('2026-01-01T00:00:00Z');
  const write = async (text: string, time: Date) => {
    await writeFile(path, text);
    await utimes(path, time, time);
  };
  const read = async () => (await get('guides/changing'))?.text();
  await write('one', written);
  expect(await read()).toBe('one');
  await write('two', written);
  expect(await read()).toBe('one');
  await write('two', new Date('2026-01-02T00:00:00Z'));
  expect(await read()).toBe('two');
});

test('files with a hash in their name are immutable', async () => {
  expect((await get('assets/app.x1.js'))?.headers.get('cache-control')).toContain('immutable');
  expect((await get('guides/node'))?.headers.get('cache-control')).toBe('no-cache');
});

test.each(['missing', '../secret.txt', 'guides/../../secret.txt', '/etc/passwd', 'a%2e', '.x', 'guides//node', '..'])(
  'the site has no page %j',
  async (path) => expect(await get(path)).toBeUndefined(),
);
