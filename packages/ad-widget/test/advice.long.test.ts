import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';

describeInChromium('advice on the console', (stage) => {
  const sites = useSites();
  let page: Page;
  let said: string[];

  beforeEach(async () => {
    page = await stage.newPage();
    said = recordConsole(page);
    sites.page.html = `${sites.head()}<body>${BANNER}`;
  });
  afterEach(async () => {
    sites.api.closed = false;
    sites.page.reportOnly = '';
    sites.api.refuseOrigin = undefined;
    await page.close();
  });
  const advice = (): string => said.filter((text) => text.startsWith('broadsheet:')).join('\n');

  test('if only the path of the ads is blocked, the console suspects an ad blocker and logs no other error', async () => {
    await page.route('**/public/ads/**', (route) => route.abort('blockedbyclient'));
    await page.goto(sites.publisher.url);
    await expect.poll(advice).toContain('an ad blocker?');
    expect(advice()).toContain(`${sites.api.url} responds`);
    expect(advice()).not.toMatch(/Access-Control|Content-Security-Policy/);
    expect(said.join()).not.toContain('status of 4');
  });

  test('for a response that the page is not allowed to read, the console names the missing headers', async () => {
    sites.api.closed = true;
    await page.goto(sites.publisher.url);
    await expect.poll(advice).toContain(`"Access-Control-Allow-Origin: ${sites.publisher.url}"`);
    expect(advice()).not.toContain('ad blocker');
  });

  test('an API that takes too long is reported as slow, and not probed', async () => {
    // Shortens the widget's timeout; the error is still the browser's.
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (patience) => timeout(patience / 100);
    });
    const probes: string[] = [];
    page.on('request', (request) => request.method() === 'HEAD' && probes.push(request.url()));
    await page.route('**/public/ads/formats?*', () => undefined);
    await page.goto(sites.publisher.url);
    await expect
      .poll(advice)
      .toBe(
        `broadsheet: ${sites.api.url} is slow: no response to a delivery within 15 s; the ads may have been counted, so they are requested again only if it counts a repeat once`,
      );
    expect(probes).toEqual([]);
  });

  test('a report-only policy is not blamed', async () => {
    await page.route('**/public/ads/**', (route) => route.abort('blockedbyclient'));
    sites.page.reportOnly = "connect-src 'self'";
    await page.goto(sites.publisher.url);
    await expect.poll(advice).toContain('an ad blocker?');
  });

  test('if a click from another site is refused, the console names the command that allows it', async () => {
    sites.api.refuseOrigin = sites.publisher.url;
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').click();
    await expect.poll(advice).toContain('broadsheet blogs domains BLOG --add 127.0.0.1');
  });

  test.each([
    ['localhost:4820', 'data-base-url="localhost:4820" is not a web URL; use the server\'s URL, such as "https://'],
    ['', 'data-base-url="" leads to PAGE/; use'],
    ['blog.example', 'data-base-url="blog.example" leads to PAGE/blog.example; use'],
    ['API/public', 'data-base-url="API/public" leads to API/public; use'],
    ['https://127.0.0.1:9', 'no response from https://127.0.0.1:9 (Failed to fetch); is it up, and is data-base-url'],
  ])('for data-base-url="%s" the console names the attribute and what it should be', async (written, expected) => {
    const fill = (text: string): string =>
      text.replaceAll('API', sites.api.url).replaceAll('PAGE', sites.publisher.url);
    sites.page.html = sites.page.html.replace(/data-base-url="[^"]*"/, `data-base-url="${fill(written)}"`);
    // Most sites return 404 for a path that they do not have.
    for (const path of [`${sites.publisher.url}/**/formats?*`, `${sites.api.url}/public/public/**`]) {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      await page.route(path, (route) => route.fulfill({ status: 404, headers }));
    }
    await page.goto(sites.publisher.url);
    await expect.poll(advice).toContain(fill(expected));
  });
});
