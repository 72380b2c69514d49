import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { afterAll, expect, test, vi } from 'vitest';
import { sampleBlog } from '../packages/mock-server/src/index.ts';
import { createServer, openStore } from '../packages/server/src/index.ts';
import { temporaryFolder } from './testing/folder.ts';
import { openSite } from './testing/site.ts';
import { describeInChromium } from './testing/stage.ts';

// The examples for browsers: built by Vite as a reader would, and opened in a browser with a server behind them.

vi.setConfig({ testTimeout: 120_000 });
const examples = fileURLToPath(new URL('../examples', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

describeInChromium('built by Vite', (stage) => {
  const folder = temporaryFolder();
  const api = serveBlog();
  afterAll(async () => (await api).close());

  test.each(['react', 'vue', 'svelte'])('the %s example lists five posts and shows an ad', async (name) => {
    const { url, key } = await api;
    vi.stubEnv('VITE_BLOG_URL', url);
    vi.stubEnv('VITE_BLOG_KEY', key);
    const outDir = join(folder.path, name);
    await build({
      root: join(examples, name),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
      resolve: { conditions: ['@broadsheet/source', ...defaultClientConditions] },
    });
    await using site = await openSite((request, response) => {
      const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
      response.setHeader('content-type', TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? '');
      response.end(readFileSync(resolve(outDir, path)));
    });
    const page = await stage.newPage();
    // The images of the ads do not exist.
    await page.route(/\.example\//, (route) => route.abort());
    await page.goto(site.url);
    await page.locator('main li').first().waitFor();
    expect(await page.locator('main li').count()).toBe(5);
    await page.locator('broadsheet-slot[format=BANNER] a[rel~=sponsored]').waitFor();
  });
});

/** A server with the sample blog. */
async function serveBlog() {
  const store = await openStore('sqlite::memory:');
  const [blog] = await store.importBlogs([{ id: 'harbour', ...sampleBlog('harbour') }], Date.now());
  const server = await createServer({ store, port: 0 });
  const close = async () => {
    await server.close();
    await store.close();
  };
  return { url: server.url, key: blog?.newKey ?? '', close };
}
