import { expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

/** Clicks per variant: most where the page is left during the request. `CLICKS=50` sets 50 for each. */
const clicksOf = (sameTab: boolean): number => Number(process.env['CLICKS'] ?? (sameTab ? 50 : 5));

describeInChromium('the published script in Chromium, with a preflight before every click', (stage) => {
  const sites = useSites();

  test.each([
    ['a new tab', false, {}],
    ['the same tab', true, {}],
    ['the middle button', false, { button: 'middle' }],
    ['ctrl and click', false, { modifiers: ['Control'] }],
    ['the Enter key', false, 'Enter'],
  ] as const)('every click arrives: %s', async (_, sameTab, how) => {
    const { api, advertiser, page, publisher } = sites;
    const rounds = clicksOf(sameTab);
    api.clicks.length = 0;
    api.preflight = 30;
    page.html = `${sites.head()}<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
    const context = await stage.browser.newContext();
    const tab = await context.newPage();
    for (let round = 0; round < rounds; round++) {
      await tab.goto(publisher.url);
      const link = tab.locator('broadsheet-slot a');
      await link.waitFor();
      if (sameTab) await link.evaluate((element) => element.removeAttribute('target'));
      const arrival = sameTab ? tab.waitForURL(`${advertiser.url}/`) : context.waitForEvent('page');
      if (how === 'Enter') await link.press(how);
      else await link.click(how as Parameters<typeof link.click>[0]);
      await arrival;
      for (const open of context.pages()) if (open !== tab) await open.close();
    }
    await expect.poll(() => api.clicks.length).toBe(rounds);
    await context.close();
  });
});
