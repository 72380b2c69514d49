import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { WIDGET_FILES } from '@broadsheet/ad-widget/files';
import { ERROR_CODES } from '@broadsheet/contract';
import { openapi } from '@broadsheet/contract/schemas';
import { describe, expect, it } from 'vitest';
import { serveMemory } from '../test/serve-memory.ts';
import { widgetVersion } from './assets/assets.ts';
import type { ServerOptions } from './server-options.ts';

const start = async (options?: Partial<ServerOptions>): Promise<string> => (await serveMemory(options)).server.url;

describe('pages', () => {
  it('/openapi.json is the OpenAPI document', async () => {
    const url = await start();
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual(
      JSON.parse(JSON.stringify(openapi({ baseUrl: url }))),
    );
  });

  it('a response that is a page for browsers and JSON for programs varies by Accept', async () => {
    const url = await start();
    for (const accept of ['*/*', 'text/html']) {
      const { headers } = await fetch(`${url}/openapi.json`, { headers: { accept } });
      expect([headers.get('vary'), headers.get('cache-control')]).toEqual(['Accept', 'public, max-age=300']);
    }
  });

  it.each(['/healthz', '/docs/', '/media/none.png', '/broadsheet.js', '/openapi.json', '/errors', '/nothing'])(
    'the response of %s has a request id',
    async (path) => {
      const url = await start();
      expect((await fetch(url + path)).headers.get('x-request-id')).toMatch(/^req_[\da-f-]{36}$/);
    },
  );

  it('/ redirects a browser to the docs and passes a program to the API', async () => {
    const url = await start();
    const browser = await fetch(`${url}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    // This holds whether or not the site was built.
    expect(browser.url).toBe(`${url}/docs/`);
    const program = await fetch(`${url}/`);
    expect([program.status, await program.json()]).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }]);
  });

  it.each(['nothing', 'guides/', '../package.json'])('the server has no page %s', async (slug) => {
    const url = await start();
    const response = await fetch(`${url}/docs/${slug}`);
    expect([404, 401]).toContain(response.status);
  });

  it.each(ERROR_CODES)('the error %s has a page', async (code) => {
    const url = await start();
    const response = await fetch(`${url}/errors/${code}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(code);
  });

  it('an unknown error code is 404, and its markup is not reflected', async () => {
    const url = await start();
    const response = await fetch(`${url}/errors/${encodeURIComponent('<img src=x>')}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('<img');
  });

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/openapi.json', 200],
    ['POST', '/nothing', 404],
    ['POST', '/', 404],
    ['DELETE', '/docs/', 405],
    ['POST', '/metrics', 405],
    ['OPTIONS', '/errors', 405],
  ])('%s %s from a browser gets a page, never JSON', async (method, path, status) => {
    const url = await start();
    const response = await fetch(url + path, { method, headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  it.each(['/nothing', '/docs/nothing', '/errors/NOTHING', '/llms-full.txt/x', '/broadsheet/x/y.js', '/panel'])(
    'a browser that requests %s gets a page, never JSON',
    async (path) => {
      const url = await start();
      const response = await fetch(url + path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      // The documentation has its own page for this once it is built.
      expect(await response.text()).toMatch(/<h1>Not Found<\/h1>|<title>404 /);
      const program = await fetch(url + path);
      expect(program.headers.get('content-type')).toContain('application/json');
    },
  );

  it.skipIf(existsSync(new URL('../../../site/index.html', import.meta.url)))(
    'a clone says how the pages that it does not have are built',
    async () => {
      const url = await start();
      for (const path of ['/docs/reference', '/docs/playground', '/llms-full.txt']) {
        const response = await fetch(url + path, { headers: { accept: 'text/html' } });
        expect([response.status, await response.text()], path).toEqual([404, expect.stringContaining('pnpm run docs')]);
      }
    },
  );

  it('pages refuse methods other than GET and HEAD', async () => {
    const url = await start();
    const response = await fetch(`${url}/openapi.json`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it('routes of the embedding program take precedence over the API', async () => {
    const url = await start({
      extraRoutes: (request) => (new URL(request.url).pathname === '/mine' ? new Response('mine') : undefined),
    });
    expect(await (await fetch(`${url}/mine`)).text()).toBe('mine');
    expect((await fetch(`${url}/other`)).status).toBe(401);
  });

  it('compressed JSON is sent to a browser unchanged', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
    const json = Uint8Array.from(brotliCompressSync('{"a":1}'));
    const url = await start({ extraRoutes: () => new Response(json, { headers }) });
    const response = await fetch(`${url}/mine`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
  });

  it('routes of the embedding program can read bodies, including the empty body of a request without one', async () => {
    const url = await start({ extraRoutes: async (request) => Response.json(await request.text()) });
    const bodies: string[] = [];
    for (const init of [{ method: 'POST', body: 'mine' }, { method: 'DELETE' }]) {
      bodies.push(await (await fetch(`${url}/mine`, init)).json());
    }
    expect(bodies).toEqual(['mine', '']);
  });
});

describe('the widget', () => {
  it.each(['broadsheet.js', 'broadsheet.css', 'broadsheet-popup.js'])(
    'the widget file %s is served to every site',
    async (name) => {
      const url = await start();
      const response = await fetch(`${url}/${name}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect((await response.text()).length).toBeGreaterThan(100);
      const etag = response.headers.get('etag') ?? '';
      expect((await fetch(`${url}/${name}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      const pinned = await fetch(`${url}/${name}?v=${etag.slice(1, 33)}`);
      expect(pinned.headers.get('cache-control')).toContain('immutable');
    },
  );

  it('the widget is sent in the smallest encoding that the browser accepts, each with its own ETag', async () => {
    const url = await start();
    const get = (accepted: string, headers: Record<string, string> = {}) =>
      fetchRaw(`${url}/broadsheet.js`, { 'accept-encoding': accepted, ...headers });
    const [plain, gzip, br] = [await get(''), await get('gzip'), await get('gzip, deflate, br, zstd')];
    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, body } of [plain, gzip, br]) {
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(body.length) });
    }
    const known = await get('br', { 'if-none-match': br.headers.etag ?? '' });
    expect(known).toMatchObject({ status: 304, headers: { vary: 'Accept-Encoding', etag: br.headers.etag } });
    expect((await get('gzip', { 'if-none-match': br.headers.etag ?? '' })).status).toBe(200);
  });

  it('versioned widget files, including those loaded on demand, are immutable; other versions are not found', async () => {
    const url = await start();
    const folder = `${url}/broadsheet/${await widgetVersion()}`;
    for (const name of WIDGET_FILES) {
      const response = await fetch(`${folder}/${name}`);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await response.text()).toBe(await (await fetch(`${url}/${name}`)).text());
      const queried = await fetch(`${url}/${name}?v=${await widgetVersion()}&`);
      expect([queried.status, queried.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    const current = await widgetVersion();
    for (const version of ['0123abcd', '0.1.0', current.toUpperCase(), `${current}0`, current.slice(1)]) {
      for (const name of WIDGET_FILES) {
        for (const path of [`broadsheet/${version}/${name}`, `${name}?v=${version}`]) {
          const other = await fetch(`${url}/${path}`);
          expect([path, other.status]).toEqual([path, 404]);
          expect(other.headers.get('cache-control')).not.toContain('immutable');
        }
      }
    }
    expect((await fetch(`${folder}/other.js`)).status).toBe(401);
  });

  it('the plain name of a widget file names its versioned URL in Content-Location', async () => {
    const url = await start();
    for (const name of WIDGET_FILES) {
      const { headers } = await fetch(`${url}/${name}`, { method: 'HEAD' });
      const pinned = new URL(headers.get('content-location') ?? '', `${url}/${name}`).href;
      expect(pinned).toBe(`${url}/broadsheet/${await widgetVersion()}/${name}`);
    }
  });
});

/** Like `fetch`, but does not decode the body. */
async function fetchRaw(url: string, headers: Record<string, string>) {
  const sent = request(url, { headers }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error(`no response from ${url}`);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}
