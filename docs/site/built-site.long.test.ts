import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../../packages/contract/src/index.ts';
import { temporaryFolder } from '../../tools/testing/folder.ts';
import { describeInChromium } from '../../tools/testing/stage.ts';
import { root } from './pages.ts';

// The site that `pnpm build` has built, served by the broadsheet command that it has built, in which every text is
// compressed.

const site = join(root, 'site');
const pages = globSync('**/*.html', { cwd: site })
  .map((file) => file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, ''))
  .filter((address) => address !== '404')
  .sort();
const command = 'packages/server/dist/main.js';
const folder = temporaryFolder();
const KEY = 'key-of-the-reader-0123456789';
let url = '';
let stop = () => {};

beforeAll(async () => {
  if (pages.length === 0) throw new Error('There is no site: run "pnpm build" first.');
  const post = {
    id: 'p',
    title: 'One to read',
    slug: 'p',
    content: '',
    status: 'PUBLISHED',
    publishedAt: '2026-01-01T00:00:00Z',
  };
  await folder.write({
    'blog.json': JSON.stringify({ blogs: [{ id: 'b', name: 'B', apiKeys: [KEY], posts: [post] }] }),
  });
  const data = ['--database', 'sqlite::memory:', '--import', folder.join('blog.json')];
  const serve = [command, 'serve', '--port', '0', ...data];
  const server = spawn(process.execPath, serve, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  stop = () => server.kill();
  const ended = once(server, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const [line] = await Promise.race([once(server.stdout, 'data'), ended]);
  ended.catch(() => {});
  url = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? '';
});
afterAll(() => stop());

const read = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await fetch(url + path, init);
  expect(response.status, path).toBe(200);
  return response.text();
};
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '');

test('every link on the site leads to an existing page and heading', async () => {
  const texts = new Map<string, string | undefined>();
  for (const address of pages) texts.set(`/docs/${address}`, await read(`/docs/${address}`));
  const broken: string[] = [];
  let links = 0;
  for (const address of pages) {
    const from = `/docs/${address}`;
    const html = texts.get(from) ?? '';
    for (const [, href = ''] of html.matchAll(/<(?:a|link|img|script)\b[^>]*? (?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), url + from);
      if (origin !== url) continue;
      links += 1;
      const path = decodeURIComponent(pathname);
      if (!texts.has(path)) {
        const response = await fetch(url + path);
        texts.set(path, response.ok ? await response.text() : undefined);
      }
      const target = texts.get(path);
      // The reference renders its headings in the browser; a test below follows a link to one.
      const there =
        hash === '' || path === '/docs/reference' || target?.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
      if (target === undefined || !there) broken.push(`${from}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
  expect(links).toBeGreaterThan(1000);
});

test('/docs, /docs/ and /docs/index.html show the home page', async () => {
  for (const path of ['/docs', '/docs/', '/docs/index.html']) expect(await read(path)).toContain('<h1');
  expect(textOf(await read('/docs/errors'))).toContain('Every error response');
});

test('a wrong link gives a browser an HTML page with status 404, and a program a JSON error', async () => {
  const reader = await fetch(`${url}/docs/guides/nowhere`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([reader.status, reader.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await reader.text()).toContain('href="/docs/');
  const program = await fetch(`${url}/docs/guides/nowhere`);
  expect([program.status, await program.json()]).toMatchObject([404, { error: { code: 'NO_SUCH_ENDPOINT' } }]);
});

test.each(ERROR_CODES)('/errors/%s has the cause, the fix and a sample', async (code) => {
  const html = await read(`/errors/${code}`);
  expect(html).toContain(`<h1 id="${code.toLowerCase()}"`);
  for (const id of ['what-to-do', 'in-code', 'the-response']) expect(html).toContain(`<h2 id="${id}"`);
  expect(textOf(html)).toContain(`/errors/${code}`);
});

test('error.docs in a response of the API links to the page of its code', async () => {
  const { error } = (await (await fetch(`${url}/public/posts`)).json()) as { error: { docs: string } };
  expect(error.docs).toBe(`${url}/errors/UNAUTHORIZED`);
});

test('llms.txt links to every page by its full URL, and llms-full.txt contains all of them', async () => {
  const index = await read('/llms.txt');
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(20);
  const whole = await read('/llms-full.txt');
  for (const link of links) {
    expect(link.startsWith(`${url}/docs/markdown/`), link).toBe(true);
    const text = await read(link.slice(url.length));
    expect(whole).toContain(text.trim());
  }
});

test('every text is stored as brotli, and sent uncompressed to clients that do not accept it', async () => {
  for (const path of ['/docs/', '/docs/reference', '/docs/scalar/standalone.js']) {
    const [small, plain] = await Promise.all(
      ['br', 'identity'].map((encoding) => fetch(url + path, { headers: { 'accept-encoding': encoding } })),
    );
    expect([small?.headers.get('content-encoding'), plain?.headers.get('content-encoding')]).toEqual(['br', null]);
    expect(await small?.text()).toBe(await plain?.text());
    expect(Number(small?.headers.get('content-length'))).toBeLessThan(Number(plain?.headers.get('content-length')) / 2);
  }
});

describeInChromium('in a browser', (stage) => {
  const axe = readFileSync(
    createRequire(join(root, 'packages/ad-widget/package.json')).resolve('axe-core/axe.min.js'),
    'utf8',
  );

  // One test for each page, because axe takes up to half a minute for the largest on a busy machine.
  test.each(pages)(
    '/docs/%s loads from no other origin, logs no error, is not too wide and passes axe',
    async (address) => {
      const page = await stage.newPage({ reducedMotion: 'reduce' });
      const wrong: string[] = [];
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (/^https?:$/.test(protocol) && origin !== url) wrong.push(`asks for ${request.url()}`);
      });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
      });
      page.on('pageerror', (error) => wrong.push(String(error)));
      const look = async (screen: string) =>
        wrong.push(...(await faults(page, address)).map((fault) => `on ${screen}: ${fault}`));
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await open(page, address);
      await look('a desktop with the light theme');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      if (address !== 'reference') await page.locator('html.dark').waitFor();
      await look('a phone with the dark theme');
      expect(wrong).toEqual([]);
    },
  );

  /** Opens a page and waits for hydration, which adds the theme switch. */
  async function open(page: Page, address: string): Promise<void> {
    await page.goto(`${url}/docs/${address}`);
    if (address !== 'reference')
      await page.locator('.VPSwitchAppearance[title*=theme]').first().waitFor({ state: 'attached' });
    await page.evaluate(axe);
  }

  /** Violations that axe finds on the page in its current state, and its overflow. */
  async function faults(page: Page, address: string): Promise<string[]> {
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const violations = await page.evaluate(
      async (context) => {
        const { axe } = window as unknown as {
          axe: {
            run(context: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
          };
        };
        // Without selectors of every element that passes, which would take most of the time.
        const { violations } = await axe.run(context, { resultTypes: ['violations'], selectors: false });
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
        // Markup that Scalar renders is not ours.
      },
      address === 'reference' ? 'body > header' : 'html',
    );
    return sideways > 0 ? [...violations, `${sideways} px too wide`] : violations;
  }

  test('the reference opens at an operation, links its errors, and sends a request with the key', async () => {
    const page = await stage.newPage();
    await page.goto(`${url}/docs/errors/CLICK_TOKEN_USED`);
    await page.getByRole('link', { name: /tracking\/click/ }).click();
    const operation = page.locator('[id*="tracking/click"]').first();
    await operation.waitFor();
    await expect.poll(() => operation.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(700);
    await page.getByRole('link', { name: 'CLICK_TOKEN_USED' }).first().waitFor();

    await page.goto(`${url}/docs/reference`);
    await page.locator('input[autocomplete=off]').first().fill(KEY);
    await page.getByRole('button', { name: 'Shell Curl' }).first().click();
    for (const name of ['@broadsheet/sdk', 'Requests']) await page.getByRole('option', { name, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Test Request (get /public/posts)', exact: true }).click();
    const received = page.waitForResponse((response) => response.url().startsWith(`${url}/public/posts`));
    await page.getByRole('button', { name: /^Send Request/ }).click();
    expect(await (await received).json()).toMatchObject({ success: true, data: [{ title: 'One to read' }] });
  });

  test('search finds a page without an external service', async () => {
    const page = await stage.newPage();
    await page.goto(`${url}/docs/`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('single-use token');
    await page.locator('.results a').first().waitFor();
  });

  test('the playground renders with the real widget, and its code follows the chosen settings', async () => {
    const page = await stage.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${url}/docs/playground`);
    await page.locator('[data-preview] broadsheet-slot[format=BANNER] a').waitFor();
    await page.getByRole('checkbox', { name: 'SIDEBAR' }).check();
    // An ad is requested only when its slot is near the viewport.
    await page.locator('[data-preview] broadsheet-slot[format=SIDEBAR]').scrollIntoViewIfNeeded();
    await page.locator('[data-preview] broadsheet-slot[format=SIDEBAR] a').waitFor();
    await page.getByLabel('Label').fill('Sponsored');
    await page.getByLabel('Consent').selectOption('tcf');
    await page.getByRole('button', { name: 'Give consent' }).click();
    await page.locator('[data-preview] broadsheet-slot[format=BANNER]').scrollIntoViewIfNeeded();
    await page.locator('[data-preview] broadsheet-slot[format=BANNER] a').waitFor();
    const snippets = (await page.locator('.snippet pre').allTextContents()).join('\n');
    expect(snippets).toContain(`data-base-url="${url}" data-api-key="YOUR_KEY" data-consent="tcf"`);
    expect(snippets).toContain('<broadsheet-slot name="sidebar" format="SIDEBAR" label="Sponsored">');
    expect(snippets).toContain(`connect-src ${url}`);
    await page.locator('.snippet').first().getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(snippets).toContain(await page.evaluate(() => navigator.clipboard.readText()));
  });
});
