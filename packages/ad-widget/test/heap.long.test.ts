import { expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { deliveredMarkup } from '../src/frameworks/server.ts';
import { useSites } from './site/sites.ts';

interface Page extends Window {
  broadsheet?: { clients: { refresh(): void; stats(): { rendered: number } }[] } & Window['broadsheet'];
}

describeInChromium('the published script in a page that stays open', (stage) => {
  const sites = useSites();

  test('1,000 refreshes of three slots do not grow the heap', async () => {
    sites.page.html = `${sites.head()}<body><broadsheet-slot format="BANNER"></broadsheet-slot><broadsheet-slot format="NATIVE"></broadsheet-slot><div data-broadsheet-slot data-format="INLINE"></div>`;
    const page = await stage.newPage({ viewport: { width: 1280, height: 2000 } });
    const devtools = await page.context().newCDPSession(page);
    await page.goto(sites.publisher.url);
    await page.locator('[data-broadsheet-slot] a').waitFor();
    const refresh = (times: number) =>
      page.evaluate(async (count) => {
        const ads = (window as Page).broadsheet?.clients[0];
        if (!ads) throw new Error('no client');
        for (let round = 0; round < count; round++) {
          const goal = ads.stats().rendered + 3;
          ads.refresh();
          while (ads.stats().rendered < goal) await new Promise((resolve) => setTimeout(resolve));
        }
        return ads.stats().rendered;
      }, times);
    const measure = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      return { usedSize, ...(await devtools.send('Memory.getDOMCounters')) };
    };
    await refresh(200);
    const before = await measure();
    expect(await refresh(800)).toBe(3 + 3 * 1000);
    const after = await measure();
    // If every refresh leaked a card, there would be more than 10,000 elements and some megabytes.
    expect(after.usedSize - before.usedSize).toBeLessThan(300_000);
    expect(after.nodes - before.nodes).toBeLessThan(100);
    expect(after.jsEventListeners - before.jsEventListeners).toBeLessThan(100);
  });

  test('300 routes, each with delivered ads that no slot takes, do not grow the heap', async () => {
    sites.page.html = `${sites.head()}<body><main></main>`;
    const page = await stage.newPage();
    const devtools = await page.context().newCDPSession(page);
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    const ad = { format: 'NATIVE', filled: true, id: 'an-ad', content: 'TEXT', clickToken: 'token' } as const;
    const markup = deliveredMarkup([{ ...ad, slotId: 'of-another-page', expiresAt: 0 }]);
    const goThrough = (routes: number) =>
      page.evaluate(
        async ([html = '', count]) => {
          const main = document.querySelector('main') ?? document.body;
          const ads = (window as Page).broadsheet?.clients[0];
          if (!ads) throw new Error('no client');
          for (let route = 0; route < Number(count); route++) {
            const goal = ads.stats().rendered + 1;
            const valid = html.replace('"expiresAt":0', `"expiresAt":${Date.now() + 50}`);
            main.innerHTML = `${valid.replace('TEXT', `${route} words `.repeat(700))}<broadsheet-slot format="BANNER"></broadsheet-slot>`;
            while (ads.stats().rendered < goal) await new Promise((resolve) => setTimeout(resolve));
          }
        },
        [markup, `${routes}`],
      );
    const measure = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize;
    };
    await goThrough(100);
    const before = await measure();
    await goThrough(300);
    // The texts alone are more than 2 MB.
    expect((await measure()) - before).toBeLessThan(500_000);
  });
});
