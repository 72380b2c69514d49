import { goThrough, longPage, WAYS } from '../../packages/ad-widget/test/site/readers.ts';
import { openSites } from '../../packages/ad-widget/test/site/sites.ts';
import { launchChromium } from '../../tools/testing/browsers.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Ads that are delivered but never viewable in 15 slots that a reader scrolls past, in the worst of four ways. */
export async function unseen({ say }: BenchOptions): Promise<Finding[]> {
  say('widget unseen: 15 slots scrolled past in four ways');
  const [browser, sites] = await Promise.all([launchChromium(), openSites()]);
  try {
    sites.page.html = longPage(sites);
    const unseenBy: Record<string, number> = {};
    for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
      const { delivered, viewable } = await goThrough(page, sites, way);
      unseenBy[way] = delivered - viewable;
      await page.close();
    }
    const note = Object.entries(unseenBy).map(([way, count]) => `${way} ${count}`);
    return [{ id: 'widget.unseen', ours: Math.max(...Object.values(unseenBy)), note: note.join(', ') }];
  } finally {
    await Promise.all([browser.close(), sites.close()]);
  }
}
