import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ads } from '../src/index.ts';
import { CHROMIUM, launchChromium } from './site/browsers.ts';
import { openSites, type Sites } from './site/sites.ts';

/** Where slots stand: in view, 150 px below the margin, within 1000 px of the window, and not. */
const PLACES = { here: 0, next: 600, soon: 1200, late: 1800 };

describe.skipIf(!CHROMIUM)('when a slot comes into the margin', () => {
  let browser: Browser;
  let sites: Sites;
  let page: Page;
  let asked: string[];

  beforeAll(async () => {
    [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sites?.close()]);
  });
  beforeEach(async () => {
    asked = [];
    sites.api.requests.length = 0;
    sites.api.answer = ({ slotId = '' }) => {
      asked.push(slotId);
      return {};
    };
    page = await browser.newPage({ viewport: { width: 800, height: 300 } });
    const slots = Object.entries(PLACES).map(
      ([name, top]) =>
        `<broadsheet-slot name="${name}" format="BANNER" style="position: absolute; top: ${top}px"></broadsheet-slot>`,
    );
    sites.page.html = `${sites.head()}<body style="height: 9000px">${slots.join('')}
<div style="position: absolute; top: 1250px; height: 0; overflow: hidden"><broadsheet-slot name="clipped" format="BANNER" style="margin-top: 50px"></broadsheet-slot></div>
<broadsheet-slot name="hidden" format="BANNER" style="position: absolute; top: 1250px; visibility: hidden"></broadsheet-slot>`;
    await page.goto(sites.publisher.origin);
    await page.locator('[name=here] a').waitFor();
  });
  afterEach(() => page.close());

  test.each([
    ['slowly', 1000, ['here', 'next']],
    ['fast, what is reached within a second shares the request', 100, ['here', 'next', 'soon']],
    ['by a jump', 10, ['here', 'next']],
  ])('%s', async (_, milliseconds, expected) => {
    await page.evaluate((time) => {
      const { clients } = (window as unknown as { broadsheet: { clients: Ads[] } }).broadsheet;
      // The clock of the page stands still: a busy machine changes no pace.
      const start = performance.now();
      performance.now = () => start;
      // Slots are looked at now, here.
      for (const ads of clients) ads.consent(true);
      queueMicrotask(() => {
        performance.now = () => start + time;
        scrollTo(0, 150);
      });
    }, milliseconds);
    await page.locator('[name=next] a').waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(asked).toEqual(expected);
    expect(sites.api.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  });
});
