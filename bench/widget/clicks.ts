import { openSites } from '../../packages/ad-widget/test/site/sites.ts';
import { launchChromium } from '../../tools/testing/browsers.ts';
import type { BenchOptions, Finding } from '../budget.ts';

const CLICKS = 50;
const TABS = 5;
/** Milliseconds by which the API delays each preflight, so that the page has gone when the click itself is sent. */
const PREFLIGHT = 300;

/** How many of 50 clicks that each replace the page reach the API. The sites involved have different origins. */
export async function clicks({ say }: BenchOptions): Promise<Finding[]> {
  say('widget clicks: 50 times away in the same tab');
  const [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  try {
    sites.api.preflight = PREFLIGHT;
    sites.page.html = `${sites.head()}<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const context = await browser.newContext();
        const tab = await context.newPage();
        for (let click = 0; click < CLICKS / TABS; click++) {
          await tab.goto(sites.publisher.url);
          const link = tab.locator('broadsheet-slot a');
          await link.evaluate((element) => element.removeAttribute('target'));
          await Promise.all([tab.waitForURL(`${sites.advertiser.url}/`), link.click()]);
        }
        await tab.waitForTimeout(4 * PREFLIGHT);
        await context.close();
      }),
    );
    return [{ id: 'widget.clicks', ours: sites.api.clicks.length, note: `preflight ${PREFLIGHT} ms, Chromium` }];
  } finally {
    await Promise.all([browser.close(), sites.close()]);
  }
}
