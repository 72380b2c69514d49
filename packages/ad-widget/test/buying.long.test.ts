import { expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { goThrough, longPage, readThrough, SLOTS, WAYS } from './site/readers.ts';
import { useSites } from './site/sites.ts';

describeInChromium('readers who scroll past cost nothing, readers who read find ads', (stage) => {
  const sites = useSites();

  for (const formats of [['BANNER'], ['BANNER', 'INLINE', 'NATIVE', 'SIDEBAR']]) {
    test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
      `%s past 15 slots of ${formats.length} format(s) causes at most 4 deliveries of ads that are never viewable`,
      async (way) => {
        sites.page.html = longPage(sites, formats);
        const page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
        const { delivered, viewable } = await goThrough(page, sites, way);
        expect(delivered - viewable).toBeLessThanOrEqual(4);
      },
    );
  }

  test('a reader at 600 px a second finds 14 of 15 slots filled when half of each is in view', async () => {
    sites.page.html = longPage(sites);
    const page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
    expect(await readThrough(page, sites, 600)).toBeGreaterThanOrEqual(SLOTS - 1);
  });
});
