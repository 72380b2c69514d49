import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock, sampleBlog, type World } from '../packages/mock-server/src/index.ts';
import { createServer, openStore } from '../packages/server/src/index.ts';
import { launchChromium } from './testing/browsers.ts';
import { CHROMIUM } from './testing/programs.ts';

// The examples that are no tests of Vitest themselves (react is) are run here as a reader would run them; those that
// a browser runs in vite-examples.test.ts, and those that must be installed in the long tests.

vi.setConfig({ testTimeout: 120_000 });

const examples = fileURLToPath(new URL('../examples', import.meta.url));
if (!CHROMIUM) console.warn('\n*** SKIPPED: Chromium is not installed: two examples are not run ***\n');

test('every example is short', () => {
  const files = globSync('*/**/*.{ts,tsx,html,astro,vue,svelte}', {
    cwd: examples,
    exclude: ['**/node_modules', '**/dist'],
  });
  expect(files.length).toBeGreaterThanOrEqual(20);
  for (const file of files) {
    expect(readFileSync(join(examples, file), 'utf8').split('\n').length, file).toBeLessThan(100);
  }
});

test('the script prints the newest posts, and what is wrong when the key is', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const script = (key: string) =>
    promisify(execFile)(
      process.execPath,
      ['--conditions=@broadsheet/source', join(examples, 'node-script/newest.ts'), '4'],
      { env: { PATH: process.env['PATH'], BROADSHEET_BASE_URL: api.url, BROADSHEET_API_KEY: key } },
    );
  const { stdout } = await script(mock.main.apiKey);
  expect(stdout.trim().split('\n')).toEqual(Array(4).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d {2}\S/)));
  await expect(script('wrong')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
});

const program = (file: string, url: string, key: string) =>
  promisify(execFile)(process.execPath, ['--conditions=@broadsheet/source', join(examples, file)], {
    env: { PATH: process.env['PATH'], BROADSHEET_BASE_URL: url, BROADSHEET_API_KEY: key },
  });

test('the program with ky prints the newest posts, and its hooks what went over the wire', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const { stdout, stderr } = await program('ky/newest.ts', api.url, mock.main.apiKey);
  expect(stdout.trim().split('\n')).toHaveLength(3);
  expect(stderr.trim().split('\n')).toEqual(['→ GET /public/posts', '← 200']);
});

test('the program with OpenTelemetry prints a span for each request', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const { stdout } = await program('opentelemetry/traced.ts', api.url, mock.main.apiKey);
  expect(stdout.trim().split('\n')).toEqual(['GET /public/posts 200 ok', 'GET /public/posts/{id} 404 404']);
});

/** What a site of ours shows to a reader: a list, a post, nothing for an unknown one, and an ad whose click counts. */
async function visit(ask: (path: string, init?: RequestInit) => Promise<Response>, world: World): Promise<void> {
  const [link = '', path = '', title = ''] = /<a href="([^"]+)">([^<]+)</.exec(await (await ask('/')).text()) ?? [];
  expect(link).not.toBe('');
  expect(await (await ask(path)).text()).toContain(`<h1>${title}</h1>`);
  expect((await ask('/posts/nowhere')).status).toBe(404);
  const headers = { origin: 'https://my.blog', 'content-type': 'application/json' };
  const ad = (await (await ask('/ad', { headers })).json()) as { id: string; clickToken: string };
  const body = JSON.stringify({ token: ad.clickToken });
  expect(await (await ask('/ad', { method: 'POST', headers, body })).json()).toEqual({ ok: true });
  expect(world.ad(ad.id)).toEqual({ impressions: 1, clicks: 1 });
}

test('the site on Express shows posts, and counts the click of an ad', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const site = spawn(process.execPath, ['--conditions=@broadsheet/source', join(examples, 'express/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      BROADSHEET_BASE_URL: api.url,
      BROADSHEET_API_KEY: mock.main.apiKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void site.kill());
  const [line] = await once(site.stdout, 'data');
  const url = String(line).trim();
  await visit((path, init) => fetch(url + path, init), mock.main);
});

test('the site on Hono does', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  vi.stubEnv('BROADSHEET_BASE_URL', api.url);
  vi.stubEnv('BROADSHEET_API_KEY', mock.main.apiKey);
  const site = join(examples, 'hono/app.ts');
  const { default: app }: { default: { request: typeof fetch } } = await import(site);
  await visit(async (path, init) => app.request(path, init), mock.main);
});

test.skipIf(!CHROMIUM)('the tests of the Playwright project pass', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(examples, '../node_modules/playwright/cli.js'), 'test', '--config', join(examples, 'playwright')],
    // Its own runner: nothing of this one is for it, but where our sources are.
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_OPTIONS: '--conditions=@broadsheet/source' } },
  );
  expect(stdout).toMatch(/^\s+3 passed/m);
});

test.skipIf(!CHROMIUM)('the static page shows two ads, and a click is counted', async () => {
  const store = await openStore('sqlite::memory:');
  const [blog] = await store.importBlogs([{ id: 'harbour', ...sampleBlog('harbour') }], Date.now());
  const api = await createServer({ store, port: 0 });
  const html = readFileSync(join(examples, 'static-page/index.html'), 'utf8')
    .replaceAll('http://127.0.0.1:4500', api.url)
    .replace('YOUR_KEY', blog?.newKey ?? '');
  const site = createHttpServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const context = await browser.newContext();
    // The advertisers' sites and images are not ours to load.
    await context.route(/\.example\//, (route) => route.fulfill({ contentType: 'text/html', body: 'Arrived' }));
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const answer = context.waitForEvent(
      'response',
      (response) => response.request().method() === 'POST' && response.url() === `${api.url}/public/ads/tracking/click`,
    );
    await page.locator('[data-broadsheet-slot=foot] a').first().waitFor();
    await page.locator('broadsheet-slot a').first().click();
    expect((await answer).status()).toBe(200);
  } finally {
    await browser.close();
    site.close();
    await api.close();
    await store.close();
  }
});
