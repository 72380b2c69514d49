import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from './site/browsers.ts';
import { openSites, type Sites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';

interface Client {
  client: string;
  refresh(): void;
  stats(): { filled: number };
  on(type: string, listener: () => void): () => void;
}
type Page = typeof globalThis & { broadsheet: ((ads: Client) => void)[] & { clients: Client[] } };

describe.skipIf(!CHROMIUM)('the published script in a page', () => {
  let browser: Browser;
  let sites: Sites;

  beforeAll(async () => {
    [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sites?.close()]);
  });
  beforeEach(() => {
    sites.api.requests.length = 0;
    sites.api.clicks.length = 0;
    sites.api.preflight = 0;
  });

  test('commands pushed before and after loading run once for each client of the page', async () => {
    sites.page.html = `${sites.head()}<script>
(window.broadsheet ??= []).push((ads) => { document.title += ' before:' + ads.client });
</script>${sites.head('data-client="b"').split('\n').at(-1)}
<body><broadsheet-slot name="one" format="BANNER"></broadsheet-slot><broadsheet-slot name="two" client="b" format="BANNER"></broadsheet-slot>`;
    const page = await browser.newPage();
    await page.goto(sites.publisher.origin);
    await page.locator('[name=one] a').waitFor();
    await page.locator('[name=two] a').waitFor();
    const clients = await page.evaluate(() => {
      const seen: string[] = [];
      (globalThis as Page).broadsheet.push((ads) => seen.push(ads.client));
      return seen.sort();
    });
    expect(clients).toEqual(['', 'b']);
    expect((await page.title()).split(' before:').slice(1).sort()).toEqual(['', 'b']);
    await page.close();
  });

  test('1,000 refreshes of three formats keep a flat heap', async () => {
    sites.page.html = `${sites.head()}<body>${BANNER}<broadsheet-slot format="NATIVE"></broadsheet-slot><div data-broadsheet-slot data-format="INLINE"></div>`;
    const page = await browser.newPage({ viewport: { width: 1280, height: 2000 } });
    const devtools = await page.context().newCDPSession(page);
    await page.goto(sites.publisher.origin);
    await page.locator('[data-broadsheet-slot] a').waitFor();
    const refresh = (times: number) =>
      page.evaluate(async (count) => {
        const [ads] = (globalThis as Page).broadsheet.clients;
        for (let round = 0; round < count; round++) {
          const before = ads?.stats().filled ?? 0;
          ads?.refresh();
          while ((ads?.stats().filled ?? 0) < before + 3) await new Promise((resolve) => setTimeout(resolve));
        }
        return ads?.stats().filled;
      }, times);
    const measure = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      return { usedSize, ...(await devtools.send('Memory.getDOMCounters')) };
    };
    await refresh(200);
    const before = await measure();
    expect(await refresh(800)).toBe(3 + 1000 * 3);
    const after = await measure();
    // A card is about 10 KB with its elements: one kept for each refresh would be 24 MB.
    expect(after.usedSize - before.usedSize).toBeLessThan(500_000);
    expect(after.nodes - before.nodes).toBeLessThan(100);
    expect(after.jsEventListeners - before.jsEventListeners).toBeLessThan(100);
    await page.close();
  }, 120_000);
});
