import type { Page } from 'puppeteer-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const slot = (name: string) => `<broadsheet-slot name="${name}" format="BANNER"></broadsheet-slot>`;
/** The page's window, with what the tests put there. */
type Window = globalThis.Window & { leap: number; hide: boolean };
const MINUTES_11 = 660_000;
const LATER = { timeout: 30_000 };

describeInEach('a delivery is sent only when it may be', (stage) => {
  const sites = useSites();

  beforeEach(() => {
    const { api, page } = sites;
    api.requests.length = api.clicks.length = api.keys.length = api.viewable.length = api.delivered = 0;
    api.unavailable = undefined;
    api.lost = api.down = api.countsViewable = false;
    api.stalls = '';
    api.idempotent = true;
    api.preflight = 0;
    api.respond = () => ({});
    page.later = page.broken = '';
  });

  /**
   * Opens a page whose clock a test can move, which a test can hide, and in which ten seconds of waiting take one
   * second.
   */
  const open = async (body: string, attributes = ''): Promise<Page> => {
    sites.page.html = `${sites.head(attributes)}<body style="margin: 0">${body}<main></main>`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.setViewport({ width: 1000, height: 800 });
    await page.evaluateOnNewDocument(() => {
      const { now } = Date;
      const { setTimeout: original } = window;
      const { timeout } = AbortSignal;
      Object.assign(window, {
        leap: 0,
        hide: false,
        setTimeout: (run: () => void, time = 0, ...rest: unknown[]) =>
          original(run, time > 2000 ? time / 10 : time, ...rest),
      });
      Date.now = () => now() + (window as unknown as Window).leap;
      AbortSignal.timeout = (time) => timeout.call(AbortSignal, time / 10);
      Object.defineProperty(document, 'hidden', { get: () => (window as unknown as Window).hide });
    });
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    return page;
  };
  /** Moves the clock of a page, without the first slot: its ad would expire, and be replaced. */
  const leap = (page: Page, by: number) =>
    page.evaluate((time) => {
      document.querySelector('[name=a]')?.remove();
      (window as unknown as Window).leap += time;
    }, by);
  const hide = (page: Page, hidden: boolean) =>
    page.evaluate((value) => {
      (window as unknown as Window).hide = value;
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const add = (page: Page, name: string) =>
    page.evaluate((html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html), slot(name));
  const isFilled = (page: Page, name: string) =>
    page.evaluate((id) => !!document.querySelector(`[name="${id}"]`)?.shadowRoot?.querySelector('.ad'), name);
  const stays = (page: Page, time: number) =>
    page.evaluate((wait) => new Promise((resolve) => setTimeout(resolve, wait)), time);
  const online = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')));
  const deliveries = () => sites.api.requests.filter((request) => request === 'POST /public/ads/formats').length;
  /** A page with one ad, and a second slot whose delivery was counted and whose response was lost. */
  const openWithLost = async (lost: boolean | number = true): Promise<Page> => {
    const page = await open(slot('a'));
    await expect.poll(() => isFilled(page, 'a')).toBe(true);
    sites.api.lost = lost;
    await add(page, 'b');
    // The browser itself repeats a request, with the same key, when a reused connection breaks.
    await expect.poll(() => sites.api.delivered).toBe(2);
    await stays(page, 200);
    sites.api.lost = false;
    return page;
  };

  test.each([
    ['a connection that is cut', true],
    ['a 504 from a gateway', 504],
    ['a 502 from a gateway', 502],
  ])('a lost delivery is repeated with its key, and counted once: %s', async (_, lost) => {
    const page = await openWithLost(lost);
    await expect.poll(() => isFilled(page, 'b'), LATER).toBe(true);
    expect(sites.api.delivered).toBe(2);
    expect(new Set(sites.api.keys).size).toBe(2);
  });

  test('a lost delivery whose repeat gets a 503 is never replaced by a new one', async () => {
    const page = await openWithLost();
    sites.api.unavailable = { retryAfter: '1' };
    await expect.poll(() => online(page).then(deliveries), LATER).toBeGreaterThan(2);
    sites.api.unavailable = undefined;
    await expect.poll(() => isFilled(page, 'b'), LATER).toBe(true);
    expect(sites.api.delivered).toBe(2);
    expect(new Set(sites.api.keys).size).toBe(2);
  });

  /** The slot whose delivery was lost gets one other ad, with a key of its own, and the old key is not sent again. */
  const getsAnother = async (page: Page): Promise<void> => {
    await expect.poll(() => online(page).then(() => isFilled(page, 'b')), LATER).toBe(true);
    await stays(page, 500);
    expect(sites.api.delivered).toBe(3);
    expect(new Set(sites.api.keys).size).toBe(3);
  };

  test('a key that the API may have forgotten, after a laptop was suspended, is not repeated', async () => {
    const page = await openWithLost();
    sites.api.forget();
    await leap(page, MINUTES_11);
    await hide(page, true);
    await hide(page, false);
    await getsAnother(page);
  });

  test('a gateway that asks for a wait of 15 minutes ends the delivery', async () => {
    const page = await open(slot('a'));
    await expect.poll(() => isFilled(page, 'a')).toBe(true);
    sites.api.lost = 504;
    sites.api.retryAfter = '900';
    await add(page, 'b');
    await expect.poll(() => sites.api.delivered).toBe(2);
    await stays(page, 300);
    sites.api.lost = false;
    sites.api.retryAfter = undefined;
    sites.api.forget();
    await leap(page, 960_000);
    await hide(page, true);
    await hide(page, false);
    await getsAnother(page);
  });

  test('a delivery is not repeated while the page is hidden, but as soon as the page is shown again', async () => {
    const page = await openWithLost();
    await hide(page, true);
    const before = sites.api.keys.length;
    for (let time = 0; time < 5; time++) {
      await online(page);
      await stays(page, 300);
    }
    expect(sites.api.keys).toHaveLength(before);
    await hide(page, false);
    await expect.poll(() => isFilled(page, 'b'), LATER).toBe(true);
    expect(sites.api.delivered).toBe(2);
  });

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['consent was withdrawn', (page) => page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(false))],
    ['the client was destroyed', (page) => page.evaluate(() => window.broadsheet?.clients?.[0]?.destroy())],
  ])('nothing is repeated after %s', async (_, end) => {
    const page = await openWithLost();
    await end(page);
    // The console's advice may still probe the API.
    const posts = () => sites.api.requests.filter((request) => request.startsWith('POST')).length;
    const before = posts();
    for (let time = 0; time < 5; time++) {
      await online(page);
      await stays(page, 300);
    }
    expect(posts()).toBe(before);
  });

  test('while a lost delivery waits, other slots are filled', async () => {
    const page = await open(slot('a'));
    await expect.poll(() => isFilled(page, 'a')).toBe(true);
    sites.api.stalls = 'b';
    await add(page, 'b');
    await expect.poll(() => sites.api.delivered).toBe(2);
    await add(page, 'c');
    // The first attempt takes 1.5 of these seconds, and the waits between four of them 6.5.
    await expect.poll(() => isFilled(page, 'c'), { timeout: 5000 }).toBe(true);
    expect(await isFilled(page, 'b')).toBe(false);
  });

  test.each([
    ['down', (on: boolean) => Object.assign(sites.api, { down: on }), 0],
    ['loses its responses', (on: boolean) => Object.assign(sites.api, { lost: on }), 1],
    ['is behind a gateway that responds with 504', (on: boolean) => Object.assign(sites.api, { lost: on && 504 }), 1],
  ] as const)(
    'a page that is opened while the API %s fills its slots when the API is back, and is counted once',
    async (_, set, times) => {
      set(true);
      const page = await open(slot('a') + slot('b'));
      await stays(page, 1000);
      expect(sites.api.delivered).toBe(2 * times);
      expect(await isFilled(page, 'a')).toBe(false);
      set(false);
      await expect.poll(() => isFilled(page, 'b'), LATER).toBe(true);
      expect(await isFilled(page, 'a')).toBe(true);
      expect(sites.api.delivered).toBe(2);
      for (const key of sites.api.keys) expect(key).toBe(sites.api.keys[0]);
    },
  );

  test('an API without keys is asked once, and counts a lost delivery once', async () => {
    sites.api.idempotent = false;
    sites.api.lost = true;
    const page = await open(slot('a'));
    await expect.poll(() => sites.api.delivered).toBeGreaterThan(0);
    await stays(page, 200);
    sites.api.lost = false;
    const before = sites.api.delivered;
    for (let time = 0; time < 5; time++) {
      await stays(page, 500);
      await online(page);
    }
    expect(sites.api.delivered).toBe(before);
    expect(sites.api.requests.filter((request) => request === 'POST /public/ads/tracking/impression')).toHaveLength(1);
    expect(await isFilled(page, 'a')).toBe(false);
  });

  test('an ad that arrives after consent was withdrawn is rendered only when there is consent again', async () => {
    sites.api.preflight = 500;
    sites.api.respond = () => ({ imageUrl: `${sites.publisher.url}/ad.png` });
    const page = await open(slot('a'));
    await expect.poll(() => sites.api.requests.length).toBeGreaterThan(0);
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(false));
    await expect.poll(() => sites.api.delivered).toBe(1);
    await stays(page, 500);
    expect(await isFilled(page, 'a')).toBe(false);
    expect(
      await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .join(),
      ),
    ).not.toContain('ad.png');
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(true));
    await expect.poll(() => isFilled(page, 'a')).toBe(true);
    expect(sites.api.delivered).toBe(1);
  });

  test.each<[string, boolean, (page: Page) => Promise<unknown>]>([
    ['is reported', true, async () => undefined],
    [
      'is not reported if consent is withdrawn',
      false,
      (page) => page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(false)),
    ],
    [
      'is not reported if the client is destroyed',
      false,
      (page) => page.evaluate(() => window.broadsheet?.clients?.[0]?.destroy()),
    ],
  ])('an ad that was viewable %s', async (_, reported, end) => {
    sites.api.countsViewable = true;
    const page = await open(slot('a'));
    await expect.poll(() => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats().viewable)).toBe(1);
    await end(page);
    await stays(page, 1900);
    await stays(page, 1900);
    expect(sites.api.viewable).toHaveLength(reported ? 1 : 0);
  });
});
