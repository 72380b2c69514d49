import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock, sampleBlog } from '../packages/mock-server/src/index.ts';
import { createServer, openStore } from '../packages/server/src/index.ts';
import { launchChromium } from './testing/browsers.ts';
import { CHROMIUM } from './testing/programs.ts';
import { visitSite } from './testing/visit-site.ts';

// Runs the examples that have no Vitest tests of their own, as a reader would. Examples for browsers are in
// vite-examples.long.test.ts; examples that must be installed are in nextjs.long.test.ts and in the tests of the server.

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

test('the script prints the newest posts, or the error if the key is wrong', async () => {
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

test('the program with ky prints the newest posts, and its hooks print each request and response', async () => {
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
  await visitSite((path, init) => fetch(url + path, init), mock.main);
});

test('the site on Hono shows posts, and counts the click of an ad', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  vi.stubEnv('BROADSHEET_BASE_URL', api.url);
  vi.stubEnv('BROADSHEET_API_KEY', mock.main.apiKey);
  const site = join(examples, 'hono/app.ts');
  const { default: app }: { default: { request: typeof fetch } } = await import(site);
  await visitSite(async (path, init) => app.request(path, init), mock.main);
});

test.skipIf(!CHROMIUM)('the tests of the Playwright project pass', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(examples, '../node_modules/playwright/cli.js'), 'test', '--config', join(examples, 'playwright')],
    // Playwright has its own test runner, which needs only the condition that resolves our sources.
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_OPTIONS: '--conditions=@broadsheet/source' } },
  );
  expect(stdout).toMatch(/^\s+3 passed/m);
});

test.skipIf(!CHROMIUM)('the static page shows two ads and three posts, and a click is counted', async () => {
  const store = await openStore('sqlite::memory:');
  const [blog] = await store.importBlogs([{ id: 'harbour', ...sampleBlog('harbour') }], Date.now());
  const api = await createServer({ store, port: 0 });
  const html = readFileSync(join(examples, 'static-page/index.html'), 'utf8')
    .replaceAll('http://127.0.0.1:4500', api.url)
    .replaceAll('YOUR_KEY', blog?.newKey ?? '');
  const entryPoints = [join(examples, '../packages/sdk/src/index.ts')];
  const sdk = await build({
    entryPoints,
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['@broadsheet/source'],
  });
  const site = createHttpServer(({ url }, response) => {
    const [type, text] = url === '/sdk/index.js' ? ['text/javascript', sdk.outputFiles[0]?.text] : ['text/html', html];
    response.setHeader('Content-Type', type ?? '').end(text);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const context = await browser.newContext();
    // The advertisers' sites and images do not exist.
    await context.route(/\.example\//, (route) => route.fulfill({ contentType: 'text/html', body: 'Arrived' }));
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const answer = context.waitForEvent(
      'response',
      (response) => response.request().method() === 'POST' && response.url() === `${api.url}/public/ads/tracking/click`,
    );
    await page.locator('[data-broadsheet-slot=foot] a').first().waitFor();
    await expect.poll(() => page.locator('#newest li').count()).toBe(3);
    await page.locator('broadsheet-slot a').first().click();
    expect((await answer).status()).toBe(200);
  } finally {
    await browser.close();
    site.close();
    await api.close();
    await store.close();
  }
});
