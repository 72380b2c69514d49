import { expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

interface Page extends Window {
  broadsheet?: { clients: { refresh(): void; stats(): { drawn: number } }[] } & Window['broadsheet'];
}

describeInChromium('the published script in a page that stays open', (stage) => {
  const sites = useSites();

  test('1,000 refreshes of three slots keep a flat heap', async () => {
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
          const goal = ads.stats().drawn + 3;
          ads.refresh();
          while (ads.stats().drawn < goal) await new Promise((resolve) => setTimeout(resolve));
        }
        return ads.stats().drawn;
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
  }, 120_000);
});
