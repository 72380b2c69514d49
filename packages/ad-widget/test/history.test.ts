import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeInFullChromium } from '../../../tools/testing/stage.ts';
import { adLink } from './site/ad-link.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';

describeInFullChromium('pages that are prerendered, left and returned to', (stage) => {
  const sites = useSites();
  let page: Page;
  const asked = () => sites.api.requests.filter((request) => request === 'POST /public/ads/formats').length;

  beforeEach(async () => {
    sites.api.requests.length = 0;
    page = await stage.browser.newPage();
  });
  afterEach(() => page.close());

  test('a prerendered page requests nothing until it is visited', async ({ skip }) => {
    sites.page.html = `${sites.head()}<body>${BANNER}<a id="next" href="/next">Next</a><script type="speculationrules">{"prerender":[{"urls":["/next"],"eagerness":"immediate"}]}</script>`;
    await page.goto(sites.publisher.url);
    await expect.poll(asked).toBe(1);
    // Chromium does not prerender when memory is low.
    const ahead = await vi.waitUntil(() => sites.visits.includes('/next'), 10_000).catch(() => false);
    if (!ahead) skip('this Chromium does not prerender here');
    // Long enough for the prerendered page to run its script and send an unwanted request.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(asked()).toBe(1);
    await Promise.all([page.waitForNavigation(), page.click('#next')]);
    const visited = await page.evaluate(
      () =>
        (performance.getEntriesByType('navigation')[0] as { activationStart?: number } | undefined)?.activationStart,
    );
    expect(visited).toBeGreaterThan(0);
    await expect.poll(asked).toBe(2);
  });

  test('after a return from the back/forward cache the ad is still there, and no ad or click is sent twice', async () => {
    sites.api.preflight = 200;
    sites.page.html = `${sites.head()}<body>${BANNER}<script>addEventListener('pageshow', (event) => { document.title = 'persisted ' + event.persisted })</script>`;
    await page.goto(sites.publisher.url);
    const follow = async () => {
      const link = await adLink(page);
      await link.evaluate((element) => element.removeAttribute('target'));
      await Promise.all([page.waitForNavigation(), link.click()]);
      expect(page.url()).toBe(`${sites.advertiser.url}/`);
    };
    await follow();
    await page.goBack();
    expect(await page.title()).toBe('persisted true');
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    await follow();
    expect(
      sites.api.requests.filter((request) => request.endsWith('click') && request.startsWith('POST')),
    ).toHaveLength(1);
    expect(asked()).toBe(1);
  });
});
