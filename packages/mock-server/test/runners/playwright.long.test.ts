import { expect, test, vi } from 'vitest';
import { launchChromium } from '../../../../tools/testing/browsers.ts';
import { CHROMIUM } from '../../../../tools/testing/programs.ts';
import { createMock } from '../../src/node.ts';
import { routeWorld } from '../../src/runners/playwright.ts';
import { run } from './run.ts';

if (!CHROMIUM) console.warn('SKIPPED: Chromium is not installed, so the Playwright recipe is not run');

test.skipIf(!CHROMIUM)('a world in the test process handles the requests of a Playwright page', async () => {
  const mock = createMock({ baseUrl: 'https://api.example' });
  const world = mock.world({ blog: { ...mock.main.blog, domains: ['site.example'] } });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.route('https://site.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Site</h1>' }),
    );
    await routeWorld(page, mock, world);
    await page.goto('https://site.example/');
    const visit = (key: string) =>
      page.evaluate(async (apiKey) => {
        const ask = (path: string, body?: unknown) =>
          fetch(`https://api.example/public/${path}`, {
            method: body ? 'POST' : 'GET',
            headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
          });
        const ad = await (await ask('ads/formats/POPUP')).json();
        const { status } = await ask('ads/tracking/click', { clickToken: ad.clickToken });
        return { id: ad.id as string, status };
      }, key);
    const { id, status } = await visit(world.apiKey);
    expect([status, world.ad(id)]).toEqual([200, { impressions: 1, viewable: 0, clicks: 1 }]);

    world.fail('tags.list', 'reset');
    const failure = page.evaluate(
      (apiKey) => fetch('https://api.example/public/tags', { headers: { 'X-API-Key': apiKey } }).then(String, String),
      world.apiKey,
    );
    expect(await failure).toMatch(/TypeError/);

    // A request that the page aborted waits no longer, and an error in a function of the test is printed.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const aborted = world.hold('categories.list');
    await page.evaluate(async (apiKey) => {
      const gone = new AbortController();
      const init = { headers: { 'X-API-Key': apiKey }, signal: gone.signal };
      const response = fetch('https://api.example/public/categories', init).catch(() => undefined);
      await fetch('https://api.example/public/search?q=the', { headers: { 'X-API-Key': apiKey } });
      gone.abort();
      await response;
    }, world.apiKey);
    await expect.poll(() => aborted.held).toBe(0);
    world.answer('posts.list', () => {
      throw new TypeError('a slip in the test');
    });
    const slip = page.evaluate(
      (apiKey) => fetch('https://api.example/public/posts', { headers: { 'X-API-Key': apiKey } }).then(String, String),
      world.apiKey,
    );
    expect(await slip).toMatch(/TypeError/);
    expect(printed.mock.calls).toEqual([
      [
        'mock: GET https://api.example/public/posts failed:',
        expect.objectContaining({ message: 'a slip in the test' }),
      ],
    ]);
    printed.mockRestore();

    // A page may be closed while a response is held: a response that comes too late must not fail the test.
    const gate = world.hold('tags.list');
    void page.evaluate((apiKey) => {
      void fetch('https://api.example/public/tags', { headers: { 'X-API-Key': apiKey } });
    }, world.apiKey);
    await gate.arrived();
    await page.close();
    gate.release();
  } finally {
    await browser.close();
  }
});

test.skipIf(!CHROMIUM)(
  'in its runner each test gets a world, and a report of its requests and unfinished work',
  async () => {
    const cli = '../../node_modules/playwright/cli.js';
    const output = await run(process.execPath, cli, 'test', '--config', 'test/runners/page.fixture.config.ts');
    expect(output).toMatch(/2 failed\s+\S+ › is off the contract[\s\S]*› runs out of time[\s\S]*4 passed/);
    expect(output).toMatch(/off the contract \(1\):\s+GET \S+limit=1000\s+limit: must be at most 100/);
    expect(output).toMatch(/responses held by hold\('posts.list'\): 1\s+fail\('search', 503\) matched no request/);
  },
);
