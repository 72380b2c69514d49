import { createHash } from 'node:crypto';
import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { widgetFiles } from '../tools/files.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"><p>House ad</p></broadsheet-slot>';

describeInChromium('recovery from failures', (stage) => {
  const sites = useSites();
  let page: Page;
  const clicked = () => sites.api.clicks.length;
  const deliveries = () => sites.api.requests.filter((request) => request === 'POST /public/ads/formats').length;

  beforeEach(async () => {
    sites.api.requests.length = sites.api.clicks.length = 0;
    sites.api.unavailable = undefined;
    sites.api.idempotent = false;
    sites.api.delivered = 0;
    sites.page.broken = '';
    sites.page.html = `${sites.head()}<body>${BANNER}`;
    page = await stage.newPage();
  });

  test('a click made offline is sent in the same page once the network is back', async () => {
    await page.goto(sites.publisher.url);
    const link = page.locator('broadsheet-slot a');
    await link.waitFor();
    await page.context().setOffline(true);
    await link.click();
    await page.bringToFront();
    expect(clicked()).toBe(0);
    await page.context().setOffline(false);
    await expect.poll(clicked, { timeout: 5000 }).toBe(1);
    const receipts = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().clicks);
    await expect.poll(receipts, { timeout: 5000 }).toMatchObject({ posted: 1, confirmed: 1, unsent: 0 });
  });

  test('a slot is filled after the API and the files of the widget were down together', async () => {
    sites.api.unavailable = {};
    sites.page.broken = 'on-demand.js';
    await page.goto(sites.publisher.url);
    await expect.poll(deliveries).toBe(1);
    await expect.poll(() => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().failed)).toBe(1);
    sites.api.unavailable = undefined;
    sites.page.broken = '';
    sites.api.idempotent = true;
    await page.locator('broadsheet-slot a').waitFor({ timeout: 20_000 });
    expect(sites.api.delivered).toBe(1);
  });

  test('a file that has loaded is not requested again after another one could not be loaded', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const files = (name: string) => requested.filter((url) => url.includes(name));
    sites.page.html = `${sites.head()}<body>${BANNER}<p style="height: 9000px"></p>`;
    await page.goto(sites.publisher.url);
    const link = page.locator('broadsheet-slot a');
    await link.waitFor();
    await expect.poll(() => files('on-demand.js').length).toBe(1);
    sites.page.broken = 'reach.js';
    await page.mouse.wheel(0, 1);
    await expect.poll(() => files('reach.js').length).toBeGreaterThan(1);
    await link.click();
    await page.bringToFront();
    const receipts = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().clicks);
    await expect.poll(receipts).toMatchObject({ confirmed: 1 });
    expect(files('on-demand.js')).toHaveLength(1);
  });

  test('a pinned script requests no other URL than the pinned one', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname + new URL(request.url()).search));
    sites.page.broken = 'on-demand.js';
    const hash = createHash('sha384')
      .update((await widgetFiles()).get('broadsheet.js') ?? '')
      .digest('base64');
    sites.page.html = sites.page.html.replace(
      'src="/broadsheet.js"',
      `src="/broadsheet.js" integrity="sha384-${hash}"`,
    );
    await page.clock.install();
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').waitFor();
    await page.clock.runFor(60_000);
    expect(requested.filter((url) => url.includes('on-demand')).length).toBeGreaterThan(0);
    expect(requested.filter((url) => url.includes('?'))).toEqual(
      expect.not.arrayContaining([expect.stringContaining('on-demand')]),
    );
  });

  test('a click whose endpoint was down is sent in the same page, once', async () => {
    await page.goto(sites.publisher.url);
    const link = page.locator('broadsheet-slot a');
    await link.waitFor();
    sites.api.unavailable = {};
    await link.click();
    // The link opens a new tab; the reader comes back.
    await page.bringToFront();
    await expect
      .poll(() => sites.api.requests.filter((request) => request.endsWith('click')).length)
      .toBeGreaterThan(1);
    sites.api.unavailable = undefined;
    await expect.poll(clicked, { timeout: 15_000 }).toBe(1);
    const receipts = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().clicks);
    await expect.poll(receipts).toMatchObject({ posted: 1, confirmed: 1, unsent: 0 });
  });

  test('a click is sent soon after the server is back, even if it also serves the files of the widget', async () => {
    let refused = 0;
    // From the beginning, because the page loads the file when it is idle. The second attempt has another URL:
    // `broadsheet-on-demand.js?v=VERSION&`.
    await page.route(/on-demand\.js/, (route) => {
      refused++;
      return route.abort();
    });
    await page.goto(sites.publisher.url);
    const link = page.locator('broadsheet-slot a');
    await link.waitFor();
    sites.api.unavailable = {};
    await link.click();
    await page.bringToFront();
    await expect.poll(() => refused).toBeGreaterThan(1);
    await page.unroute(/on-demand\.js/);
    sites.api.unavailable = undefined;
    await expect.poll(clicked).toBe(1);
    const receipts = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().clicks);
    await expect.poll(receipts).toMatchObject({ posted: 1, confirmed: 1 });
  });

  test('a slot whose delivery failed shows the fallback, and fills when the API is back', async () => {
    sites.api.unavailable = {};
    await page.goto(sites.publisher.url);
    await expect.poll(deliveries).toBe(1);
    expect(await page.getByText('House ad').isVisible()).toBe(true);
    sites.api.unavailable = undefined;
    await page.locator('broadsheet-slot a').waitFor({ timeout: 15_000 });
    expect(deliveries()).toBe(2);
  });

  test('Retry-After is obeyed even if the browser is online again or the reader comes back', async () => {
    await page.clock.install();
    sites.api.unavailable = { retryAfter: '60' };
    await page.goto(sites.publisher.url);
    await expect.poll(deliveries).toBe(1);
    await expect.poll(() => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().failed)).toBe(1);
    await page.clock.fastForward(50_000);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.clock.runFor(1000);
    expect(deliveries()).toBe(1);
    sites.api.unavailable = undefined;
    await page.clock.fastForward(11_000);
    await expect.poll(deliveries).toBe(2);
  });

  test.each([
    ['', 3],
    ['1', 3],
    ['30', 2],
  ])(
    'an API that is down, with Retry-After "%s", gets at most %i deliveries a minute and no probes',
    async (retryAfter, most) => {
      const start = Date.now();
      await page.clock.install({ time: start });
      const probes: string[] = [];
      page.on('request', (request) => request.method() === 'HEAD' && probes.push(request.url()));
      const messages = recordConsole(page);
      sites.api.unavailable = { retryAfter };
      await page.goto(sites.publisher.url);
      const failures = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().failed);
      const sent = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().requests);
      await expect.poll(failures).toBe(1);
      // From here on, time passes only when the test says so, however slow the machine is.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000);
      while ((await page.evaluate(() => Date.now())) < start + 59_000) {
        await page.clock.runFor(1000);
        // All requests get a response before the next second begins. One of this second may not have arrived yet, so the
        // page's own count of sent requests is compared as well.
        await expect
          .poll(async () => (await failures()) === (await sent()) && (await sent()) === deliveries())
          .toBe(true);
      }
      expect(deliveries()).toBeGreaterThan(1);
      expect(deliveries()).toBeLessThanOrEqual(most);
      expect(probes).toEqual([]);
      expect(messages.filter((text) => text.startsWith('broadsheet:'))).toHaveLength(1);
    },
  );

  test('an API that is down gets at most 8 clicks and deliveries a minute', async () => {
    await page.clock.install();
    sites.page.html = `${sites.head()}<body>${BANNER}<main></main>`;
    await page.goto(sites.publisher.url);
    const link = page.locator('broadsheet-slot a');
    await link.waitFor();
    sites.api.unavailable = {};
    sites.api.requests.length = 0;
    await link.evaluate((element) => element.removeAttribute('target'));
    await link.evaluate((element: HTMLElement) => {
      // The reader stays.
      element.addEventListener('click', () =>
        window.addEventListener('click', (event) => event.preventDefault(), { once: true }),
      );
      element.click();
    });
    await page.locator('main').evaluate((main) => {
      const slot = document.createElement('broadsheet-slot');
      slot.setAttribute('format', 'BANNER');
      main.append(slot);
    });
    const posts = () => sites.api.requests.filter((request) => request.startsWith('POST')).length;
    for (let second = 0; second < 60; second++) await page.clock.runFor(1000);
    await expect.poll(posts).toBeGreaterThan(2);
    expect(posts()).toBeLessThanOrEqual(8);
  });

  test('a blocked API gets one request for a slot and is probed once, and the page gets an event', async () => {
    await page.clock.install();
    let blocked = 0;
    const probes: string[] = [];
    page.on('request', (request) => request.method() === 'HEAD' && probes.push(request.url()));
    await page.route('**/public/ads/**', (route) => {
      if (route.request().method() === 'POST') blocked++;
      return route.abort('blockedbyclient');
    });
    sites.page.html = `${sites.head()}<script>window.reasons = [];
addEventListener('broadsheet:error', ({ detail }) => reasons.push(detail.reason));</script><body>${BANNER}`;
    const messages = recordConsole(page);
    await page.goto(sites.publisher.url);
    const reasons = () => page.evaluate(() => (window as unknown as { reasons: string[] }).reasons);
    const pass = async () => {
      await page.clock.runFor(1000);
      return reasons();
    };
    await expect.poll(pass).toContain('blocked');
    for (let second = 0; second < 60; second++) await page.clock.runFor(1000);
    // Without a response nobody knows whether the delivery was counted.
    expect(blocked).toBe(1);
    expect(probes).toHaveLength(2);
    expect(new Set(await reasons())).toEqual(new Set(['blocked']));
    expect(messages.filter((text) => text.startsWith('broadsheet:'))).toHaveLength(1);
  });
});
