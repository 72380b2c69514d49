import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { launchChromium } from '../../../../tools/testing/browsers.ts';
import { CHROMIUM } from '../../../../tools/testing/programs.ts';
import { writeRecipes } from './blocks.ts';

if (!CHROMIUM) console.warn('\n*** SKIPPED: Chromium is not installed: the Storybook recipe is not run ***\n');

const packages = resolve(import.meta.dirname, '../../..');

/** The component of the stories: it shows the number of posts, or the error. */
const COMPONENT = `export function newestPosts(blog) {
  const list = document.createElement('p');
  blog.posts.list({ limit: 3 }).then(
    ({ items }) => { list.textContent = items.length + ' posts'; },
    (error) => { list.textContent = 'sorry: ' + error.status; },
  );
  return list;
}`;

/** Runs the stories in the order of Storybook: beforeAll, loaders, beforeEach, render. */
const STORYBOOK = `import preview from './.storybook/preview.js';
import meta, * as stories from './newest-posts.stories.js';
await preview.beforeAll();
for (const name of ['Loaded', 'Broken']) {
  const canvasElement = document.body.appendChild(document.createElement('div'));
  const shown = new AbortController();
  const context = { id: 'newest-posts--' + name.toLowerCase(), canvasElement, abortSignal: shown.signal };
  const loaded = Object.assign({}, ...await Promise.all(preview.loaders.map((load) => load(context))));
  await stories[name].beforeEach?.({ loaded });
  const element = meta.render({}, { loaded });
  element.id = name;
  canvasElement.append(element);
  canvasElement.append(Object.assign(document.createElement('button'), {
    id: 'leave-' + name,
    onclick: async () => {
      shown.abort();
      const { baseUrl, apiKey } = loaded.world.connection;
      element.textContent = (await fetch(baseUrl + '/public/tags', { headers: { 'X-API-Key': apiKey } })).status;
    },
  }));
}`;

test.skipIf(!CHROMIUM).each(['msw', 'msw2'])(
  'the stories of the guide render in Chromium with %s, each in its own world',
  async (version) => {
    const folder = await mkdtemp(join(packages, 'mock-server/node_modules/.recipe-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await writeRecipes(folder)).toContain('.storybook/preview.js');
    await writeFile(join(folder, 'newest-posts.js'), COMPONENT);
    const { outputFiles } = await build({
      stdin: { contents: STORYBOOK, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      conditions: ['@broadsheet/source', 'browser', 'module'],
      absWorkingDir: join(packages, 'mock-server'),
      alias: { '@broadsheet/sdk': join(packages, 'sdk/src/index.ts'), ...(version !== 'msw' && { msw: version }) },
    });
    const worker = await readFile(createRequire(import.meta.url).resolve(`${version}/mockServiceWorker.js`));
    const files: Record<string, string | Uint8Array> = {
      '/': '<!doctype html><title>Stories</title><script type="module" src="/stories.js"></script>',
      '/stories.js': outputFiles[0]?.contents ?? '',
      '/mockServiceWorker.js': worker,
    };
    const site = createServer(({ url = '/' }, response) => {
      response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript').end(files[url] ?? '');
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      await expect.poll(() => page.locator('#Broken').textContent()).toBe('sorry: 503');
      await expect.poll(() => page.locator('#Loaded').textContent()).toBe('3 posts');
      // Leaving a story drops its world.
      await page.locator('#leave-Loaded').click();
      await expect.poll(() => page.locator('#Loaded').textContent()).toBe('401');
      expect(await page.locator('#Broken').textContent()).toBe('sorry: 503');
    } finally {
      await browser.close();
      site.close();
    }
  },
);
