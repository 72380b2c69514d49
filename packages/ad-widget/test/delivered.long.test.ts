import type { Page } from 'puppeteer-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { deliveredMarkup } from '../src/frameworks/server.ts';
import { adLink } from './site/ad-link.ts';
import { KEY, VIEWABLE } from './site/api.ts';
import { useSites } from './site/sites.ts';

const slot = (name: string, more = '') => `<broadsheet-slot name="${name}" format="BANNER" ${more}></broadsheet-slot>`;
/** An ad for a slot, as the SDK returns it on a server. */
const ad = (slotId: string, more: object = {}) => ({
  slotId,
  format: 'BANNER' as const,
  filled: true as const,
  id: 'an-ad',
  title: `Sent for ${slotId}`,
  linkUrl: 'https://advertiser.invalid/',
  clickToken: `sent-${slotId}`,
  viewableUrl: VIEWABLE,
  ...more,
});

describeInEach('ads that the server delivered with the page', (stage) => {
  const sites = useSites();

  beforeEach(() => {
    const { api } = sites;
    api.requests.length = api.clicks.length = api.viewable.length = api.delivered = 0;
  });

  const open = async (head: string, body: string): Promise<Page> => {
    sites.page.html = `${head}<body style="margin: 0">${body}`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    return page;
  };
  const title = (page: Page, name: string) =>
    page.evaluate(
      (id) => document.querySelector(`[name="${id}"]`)?.shadowRoot?.querySelector('.title')?.textContent,
      name,
    );

  test('delivered ads are reported as viewable', async () => {
    await open(sites.head(), slot('top') + deliveredMarkup([ad('top')]));
    await expect.poll(() => sites.api.viewable).toEqual(['sent-top']);
    expect(sites.api.delivered).toBe(0);
  });

  test('delivered ads are shown only by the client for which they were requested', async () => {
    const second = `<script async src="/broadsheet.js" data-base-url="${sites.api.url}" data-api-key="${KEY}" data-client="boats"></script>`;
    const markup = deliveredMarkup([ad('top', { client: 'boats', title: 'A boat' })]);
    const boats = slot('boat', 'client="boats"').replace('name="boat"', 'id="boat" name="top"');
    const page = await open(sites.head('data-client="cars"') + second, slot('top', 'client="cars"') + boats + markup);
    const boat = () =>
      page.evaluate(() => document.querySelector('#boat')?.shadowRoot?.querySelector('.title')?.textContent);
    await expect.poll(boat).toBe('A boat');
    await expect.poll(() => title(page, 'top')).toBe('An ad');
    expect(sites.api.delivered).toBe(1);
  });

  test('delivered ads are ignored after their tokens have expired, as in a page that the browser stored', async () => {
    const page = await open(sites.head(), slot('top') + deliveredMarkup([ad('top', { expiresAt: Date.now() - 1 })]));
    await expect.poll(() => title(page, 'top')).toBe('An ad');
    const link = await adLink(page);
    await link.click();
    await expect.poll(() => sites.api.clicks).toHaveLength(1);
    expect(sites.api.clicks).not.toContain('sent-top');
  });
});
