import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from './site/browsers.ts';
import { listen } from './site/console.ts';
import { openSites, type Sites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';

describe.skipIf(!CHROMIUM)('what the console advises', () => {
  let browser: Browser;
  let sites: Sites;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sites?.close()]);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    said = listen(page);
    sites.page.html = `${sites.head()}<body>${BANNER}`;
  });
  afterEach(async () => {
    sites.api.closed = false;
    sites.page.reportOnly = '';
    sites.api.refuseOrigin = undefined;
    await page.close();
  });
  const advice = (): string => said.filter((text) => text.startsWith('broadsheet:')).join('\n');

  test('what blocks the path of the ads alone is in the browser, and no other error is logged', async () => {
    await page.route('**/public/ads/**', (route) => route.abort('blockedbyclient'));
    await page.goto(sites.publisher.origin);
    await expect.poll(advice).toContain('an ad blocker?');
    expect(advice()).toContain(`${sites.api.origin} answers`);
    expect(advice()).not.toMatch(/Access-Control|Content-Security-Policy/);
    expect(said.join()).not.toContain('status of 4');
  });

  test('answers the page may not read: the headers that are missing', async () => {
    sites.api.closed = true;
    await page.goto(sites.publisher.origin);
    await expect.poll(advice).toContain(`"Access-Control-Allow-Origin: ${sites.publisher.origin}"`);
    expect(advice()).not.toContain('ad blocker');
  });

  test('a policy that only reports is not blamed', async () => {
    await page.route('**/public/ads/**', (route) => route.abort('blockedbyclient'));
    sites.page.reportOnly = "connect-src 'self'";
    await page.goto(sites.publisher.origin);
    await expect.poll(advice).toContain('an ad blocker?');
  });

  test('a click from a page that is none of the blog: the command that allows it', async () => {
    sites.api.refuseOrigin = sites.publisher.origin;
    await page.goto(sites.publisher.origin);
    await page.locator('broadsheet-slot a').click();
    await expect.poll(advice).toContain('broadsheet blogs domains BLOG --add 127.0.0.1');
  });

  test.each([
    ['localhost:4820', 'data-base-url="localhost:4820" is no web address; give the server\'s address as in "https://'],
    ['', 'data-base-url="" leads to PAGE/; give'],
    ['blog.example', 'data-base-url="blog.example" leads to PAGE/blog.example; give'],
    ['API/public', 'data-base-url="API/public" leads to API/public; give'],
    ['https://127.0.0.1:9', 'no answer from https://127.0.0.1:9 (Failed to fetch); is it up, and is data-base-url'],
  ])('data-base-url="%s": the attribute is named, and what it should be', async (written, expected) => {
    const fill = (text: string): string =>
      text.replaceAll('API', sites.api.origin).replaceAll('PAGE', sites.publisher.origin);
    sites.page.html = sites.page.html.replace(/data-base-url="[^"]*"/, `data-base-url="${fill(written)}"`);
    // As most sites answer what they do not have.
    for (const path of [`${sites.publisher.origin}/**/formats`, `${sites.api.origin}/public/public/**`]) {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      await page.route(path, (route) => route.fulfill({ status: 404, headers }));
    }
    await page.goto(sites.publisher.origin);
    await expect.poll(advice).toContain(fill(expected));
  });
});
