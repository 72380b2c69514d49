import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { deliveredMarkup } from '../src/frameworks/server.ts';
import { useSites } from './site/sites.ts';

const slot = (name: string) => `<broadsheet-slot name="${name}" format="BANNER"></broadsheet-slot>`;
const BELOW = '<p style="height: 750px"></p>';
/** Ten minutes, the life of a click token, and a second. */
const EXPIRED = 601_000;

describeInChromium('what a client counts, with the published script', (stage) => {
  const sites = useSites();
  let page: Page;
  const stats = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats());
  const clicks = async () => (await stats())?.clicks;
  const open = async (body: string): Promise<void> => {
    sites.page.html = `${sites.head()}<body style="margin: 0">${body}`;
    await page.goto(sites.publisher.url);
  };
  /** Follows the link of the first ad, in a new tab, and comes back. */
  const click = async (): Promise<void> => {
    await page.locator('broadsheet-slot a').first().click();
    await page.bringToFront();
  };
  /** Opens a page with one slot and waits for its ad. */
  const openFilled = async (): Promise<void> => {
    await open(slot('top'));
    await page.locator('broadsheet-slot a').waitFor();
  };

  beforeEach(async () => {
    const { api } = sites;
    api.respond = () => ({});
    api.refuseOrigin = api.unavailable = undefined;
    api.delivered = api.clicks.length = api.requests.length = 0;
    page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
  });

  test('requests and requested: 25 slots are two requests, of 20 and of 5', async () => {
    page = await stage.newPage({ viewport: { width: 1000, height: 4000 } });
    await open(Array.from({ length: 25 }, (_, index) => slot(`s${index}`)).join(''));
    await expect.poll(stats).toMatchObject({ requests: 2, requested: 25, delivered: 25 });
    expect(sites.api.requests.filter((request) => request === 'POST /public/ads/formats')).toHaveLength(2);
  });

  test('delivered: the impressions that the API counted, not the requested slots', async () => {
    sites.api.respond = ({ slotId }) => ({ filled: slotId !== 'none' });
    await open(`${slot('a')}${slot('none')}${slot('b')}`);
    await expect.poll(stats).toMatchObject({ requested: 3, delivered: 2 });
    expect(sites.api.delivered).toBe(2);
  });

  test('rendered: includes an ad that the server sent with the page and this client did not request', async () => {
    const sent = {
      slotId: 'sent',
      format: 'BANNER',
      filled: true,
      id: 'an-ad',
      title: 'Sent with the page',
      clickToken: 'sent-token',
    } as const;
    await open(`${deliveredMarkup([sent])}${slot('sent')}${slot('asked')}`);
    await expect.poll(stats).toMatchObject({ delivered: 1, rendered: 2 });
  });

  test('reused: an ad that was not seen before its slot was removed, rendered into the next one', async () => {
    await open(`${BELOW}${slot('first')}`);
    await expect.poll(stats).toMatchObject({ delivered: 1, rendered: 1, reused: 0, viewable: 0 });
    await page.evaluate((next) => {
      document.querySelector('[name=first]')?.remove();
      document.body.insertAdjacentHTML('beforeend', next);
    }, slot('second'));
    await expect.poll(stats).toMatchObject({ delivered: 1, rendered: 2, reused: 1 });
  });

  test('an ad in view for a second counts as viewable, an ad below the fold does not', async () => {
    await open(`${slot('seen')}${BELOW}${slot('below')}`);
    await expect.poll(stats).toMatchObject({ rendered: 2, viewable: 0 });
    await expect.poll(stats).toMatchObject({ viewable: 1 });
    await page.waitForFunction(
      (until) => performance.now() > until,
      (await page.evaluate(() => performance.now())) + 1500,
    );
    expect(await stats()).toMatchObject({ rendered: 2, viewable: 1 });
  });

  test('empty: slots for which there is no ad', async () => {
    sites.api.respond = ({ slotId }) => ({ filled: slotId === 'ad' });
    await open(`${slot('a')}${slot('ad')}${slot('b')}`);
    await expect.poll(stats).toMatchObject({ rendered: 1, empty: 2, failed: 0 });
  });

  test('failed: slots whose delivery failed', async () => {
    sites.api.unavailable = { retryAfter: '60' };
    await open(`${slot('a')}${slot('b')}`);
    await expect.poll(stats).toMatchObject({ requests: 1, delivered: 0, empty: 0, failed: 2 });
  });

  test('clicks.posted and clicks.confirmed: one of each for a click, however often it is repeated', async () => {
    await openFilled();
    await click();
    await click();
    await expect.poll(clicks).toEqual({ posted: 1, confirmed: 1, expired: 0, refused: 0, unsent: 0 });
    expect(sites.api.clicks).toHaveLength(1);
  });

  test('clicks.confirmed: includes a click that the API has counted before', async () => {
    sites.api.respond = () => ({ clickToken: 'spent' });
    sites.api.clicks.push('spent');
    await openFilled();
    await click();
    await expect.poll(clicks).toMatchObject({ posted: 1, confirmed: 1, refused: 0 });
  });

  test('clicks.expired: followed when the token is older than ten minutes, and not sent', async () => {
    await page.clock.install();
    await openFilled();
    await page.clock.fastForward(EXPIRED);
    await click();
    await expect.poll(clicks).toMatchObject({ posted: 0, expired: 1 });
    expect(sites.api.requests.filter((request) => request.endsWith('click'))).toEqual([]);
  });

  test('clicks.refused: the page is on another site', async () => {
    sites.api.refuseOrigin = sites.publisher.url;
    await openFilled();
    await click();
    await expect.poll(clicks).toMatchObject({ posted: 1, confirmed: 0, refused: 1, unsent: 0 });
  });

  test('clicks.unsent: clicks that were not sent yet, and 0 again when the API is back', async () => {
    await openFilled();
    sites.api.unavailable = { retryAfter: '1' };
    await click();
    await expect.poll(clicks).toMatchObject({ posted: 1, confirmed: 0, unsent: 1 });
    sites.api.unavailable = undefined;
    await expect.poll(clicks, { timeout: 15_000 }).toMatchObject({ posted: 1, confirmed: 1, unsent: 0 });
  });
});
