import type { Page } from 'puppeteer-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeInFirefox } from '../../../tools/testing/stage.ts';
import { adLink } from './site/ad-link.ts';
import { longPage } from './site/readers.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';
const POPUP = '<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>';
const rounds = Number(process.env['CLICKS'] ?? 5);

describeInFirefox('the published script in Firefox', (stage) => {
  const sites = useSites();

  beforeEach(() => {
    sites.api.requests.length = 0;
    sites.api.clicks.length = 0;
    sites.api.delivered = 0;
    sites.api.preflight = 0;
    sites.api.unavailable = undefined;
    sites.page.html = `${sites.head()}<body>${BANNER}`;
  });

  test.each([
    ['a new tab', false, 'left'],
    ['the same tab', true, 'left'],
    ['the middle button', false, 'middle'],
    ['the Enter key', false, undefined],
  ] as const)('every click arrives: %s', async (_, sameTab, button) => {
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
  });

  test('a page in a background tab requests nothing until it is visible', async () => {
    const behind = await stage.browser.newPage();
    const front = await stage.browser.newPage();
    await front.bringToFront();
    await behind.goto(sites.publisher.url);
    expect(await behind.evaluate(() => document.hidden)).toBe(true);
    // Firefox reports intersections of a hidden page too. This is long enough for an unwanted request.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(sites.api.requests).toEqual([]);
    await behind.bringToFront();
    await expect.poll(() => sites.api.requests).toContain('POST /public/ads/formats');
    await Promise.all([front.close(), behind.close()]);
  });

  const open = async (html = '', attributes = ''): Promise<Page> => {
    if (html) sites.page.html = `${sites.head(attributes)}<body>${html}`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    return page;
  };
  const stats = (page: Page) =>
    page.evaluate(() => JSON.parse(JSON.stringify(window.broadsheet?.clients?.[0]?.stats())));
  const stays = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2500)));

  test('a reader who skips 15 slots with the End key receives at most 4 ads that are never viewable', async () => {
    sites.page.html = longPage(sites);
    const page = await open();
    await adLink(page);
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(5000);
    await stays(page);
    expect(sites.api.delivered - (await stats(page)).viewable).toBeLessThanOrEqual(4);
  });

  test('a popup is requested for a reader who stays, not for one who follows a link, and Escape closes it', async () => {
    const page = await open(`<a href="/next">Next</a><p>Words.</p>${POPUP}`);
    // An earlier attempt may have shown this reader a popup.
    await page.evaluate(() => localStorage.clear());
    for (let article = 0; article < 3; article++) {
      await Promise.all([page.waitForNavigation(), page.click('a')]);
      await page.waitForFunction(() => window.broadsheet?.clients?.length);
    }
    expect(sites.api.delivered).toBe(0);
    const act = () => page.click('p').then(() => sites.api.delivered);
    await expect.poll(act, { interval: 1500, timeout: 20_000 }).toBe(1);
    const cards = () => page.evaluate(() => document.querySelector('broadsheet-slot')?.shadowRoot?.childElementCount);
    await expect.poll(cards).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(cards).toBe(0);
  });

  test('a dialog waits until the reader stops typing, and Escape closes it', async () => {
    const page = await open(`<textarea></textarea>${POPUP.replace('>', ' every="0" dialog>')}`);
    await page.focus('textarea');
    await page.keyboard.type('Words');
    await stays(page);
    expect(sites.api.delivered).toBe(0);
    const dialog = () =>
      page.evaluate(() => document.querySelector('broadsheet-slot')?.shadowRoot?.querySelector('dialog')?.open);
    await page.evaluate(() => document.querySelector('textarea')?.blur());
    const act = () => page.keyboard.press('Shift').then(dialog);
    await expect.poll(act, { interval: 1500, timeout: 20_000 }).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(dialog).toBeUndefined();
  });

  test('no ad is requested if the reader refuses consent under the European section of GPP', async () => {
    const refusal = { signalStatus: 'ready', parsedSections: { tcfeuv2: { PurposeConsents: [true, false] } } };
    const platform = `<script>window.__gpp = (_, report) => report({ pingData: ${JSON.stringify(refusal)} });</script>`;
    const page = await open(`${platform}${BANNER}`, 'data-consent="gpp"');
    await stays(page);
    expect(sites.api.requests).toEqual([]);
  });

  test('a failed slot is filled, and a failed click is sent, when the API is back', async () => {
    sites.api.unavailable = {};
    const page = await open();
    await expect.poll(async () => (await stats(page)).failed).toBe(1);
    sites.api.unavailable = undefined;
    const link = await adLink(page);
    sites.api.unavailable = {};
    await link.click();
    await page.bringToFront();
    await expect.poll(async () => (await stats(page)).clicks.unsent).toBe(1);
    sites.api.unavailable = undefined;
    await expect.poll(() => sites.api.clicks.length, { timeout: 20_000 }).toBe(1);
  });
});
