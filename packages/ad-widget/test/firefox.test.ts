import { beforeEach, expect, test } from 'vitest';
import { describeInFirefox } from '../../../tools/testing/stage.ts';
import { adLink } from './site/ad-link.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';
const rounds = Number(process.env['CLICKS'] ?? 5);

describeInFirefox('Firefox, the published script', (stage) => {
  const sites = useSites();

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
      const page = await stage.browser.newPage();
      const others = async () => (await stage.browser.pages()).filter((open) => open !== page);
      for (const old of await others()) await old.close();
      for (let round = 0; round < rounds; round++) {
        await page.goto(sites.publisher.url);
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
    const behind = await stage.browser.newPage();
    const front = await stage.browser.newPage();
    await front.bringToFront();
    await behind.goto(sites.publisher.url);
    expect(await behind.evaluate(() => document.hidden)).toBe(true);
    // Firefox reports intersections of a hidden page too: long enough for it to ask, if it would.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(sites.api.requests).toEqual([]);
    await behind.bringToFront();
    await expect.poll(() => sites.api.requests).toContain('POST /public/ads/formats');
    await Promise.all([front.close(), behind.close()]);
  });
});
