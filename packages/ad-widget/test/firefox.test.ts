import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adLink } from './site/ad-link.ts';
import { FIREFOX, launchFirefox } from './site/browsers.ts';
import { openSites, type Sites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';
const rounds = Number(process.env['CLICKS'] ?? 5);

describe.skipIf(!FIREFOX)('Firefox, the published script', () => {
  let browser: Browser;
  let sites: Sites;

  beforeAll(async () => {
    [browser, sites] = await Promise.all([launchFirefox(), openSites()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sites?.close()]);
  });
  beforeEach(() => {
    sites.api.requests.length = 0;
    sites.api.clicks.length = 0;
    sites.page.html = `${sites.head()}<body>${BANNER}`;
  });

  test.each([
    ['a new tab', false, 'left'],
    ['the same tab', true, 'left'],
    ['the middle button', false, 'middle'],
    ['the Enter key', false, undefined],
  ] as const)(
    'every click arrives: %s',
    async (_, sameTab, button) => {
      sites.api.preflight = 30;
      const page = await browser.newPage();
      const others = async () => (await browser.pages()).filter((open) => open !== page);
      for (const old of await others()) await old.close();
      for (let round = 0; round < rounds; round++) {
        await page.goto(sites.publisher.origin);
        const link = await adLink(page);
        if (sameTab) await link.evaluate((element) => element.removeAttribute('target'));
        const arrival = sameTab ? page.waitForNavigation() : undefined;
        if (button) await link.click({ button });
        else await link.press('Enter');
        await arrival;
        await expect.poll(() => sites.api.clicks.length).toBe(round + 1);
        if (sameTab) continue;
        await expect.poll(async () => (await others()).length).toBe(1);
        for (const opened of await others()) await opened.close();
        await page.bringToFront();
      }
      await page.close();
    },
    120_000,
  );

  test('a page in the background asks for nothing until it is looked at', async () => {
    const behind = await browser.newPage();
    const front = await browser.newPage();
    await front.bringToFront();
    await behind.goto(sites.publisher.origin);
    expect(await behind.evaluate(() => document.hidden)).toBe(true);
    // Firefox reports intersections of a hidden page too: long enough for it to ask, if it would.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(sites.api.requests).toEqual([]);
    await behind.bringToFront();
    await expect.poll(() => sites.api.requests).toContain('POST /public/ads/formats');
    await Promise.all([front.close(), behind.close()]);
  });
});
