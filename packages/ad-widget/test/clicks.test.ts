import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from './site/browsers.ts';
import { openSites, type Sites } from './site/sites.ts';

/** Clicks per variant: most where the page goes away under the request. `CLICKS=50` makes it 50 for each. */
const clicksOf = (sameTab: boolean): number => Number(process.env['CLICKS'] ?? (sameTab ? 50 : 5));

describe.skipIf(!CHROMIUM)('Chromium, the published script, every click behind a preflight', () => {
  let browser: Browser;
  let sites: Sites;

  beforeAll(async () => {
    [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sites?.close()]);
  });

  test.each([
    ['a new tab', false, {}],
    ['the same tab', true, {}],
    ['the middle button', false, { button: 'middle' }],
    ['ctrl and click', false, { modifiers: ['Control'] }],
    ['the Enter key', false, 'Enter'],
  ] as const)(
    'every click arrives: %s',
    async (_, sameTab, how) => {
      const { api, advertiser, page, publisher } = sites;
      const rounds = clicksOf(sameTab);
      api.clicks.length = 0;
      api.preflight = 30;
      page.html = `${sites.head()}<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
      const context = await browser.newContext();
      const tab = await context.newPage();
      for (let round = 0; round < rounds; round++) {
        await tab.goto(publisher.origin);
        const link = tab.locator('broadsheet-slot a');
        await link.waitFor();
        if (sameTab) await link.evaluate((element) => element.removeAttribute('target'));
        const arrival = sameTab ? tab.waitForURL(`${advertiser.origin}/`) : context.waitForEvent('page');
        if (how === 'Enter') await link.press(how);
        else await link.click(how as Parameters<typeof link.click>[0]);
        await arrival;
        for (const open of context.pages()) if (open !== tab) await open.close();
      }
      await expect.poll(() => api.clicks.length).toBe(rounds);
      await context.close();
    },
    120_000,
  );
});
