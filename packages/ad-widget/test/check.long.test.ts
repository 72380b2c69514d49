import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { watchShifts } from '../src/check/check.ts';
import { useSites } from './site/sites.ts';

const TEXT = `<p>${'Words of the page. '.repeat(60)}</p>`;
const SLOTS = `<h1>A page</h1><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>${TEXT}
<div data-broadsheet-slot="middle" data-format="INLINE"></div>${TEXT}<p style="height: 4000px"></p>
<broadsheet-slot name="far" format="NATIVE"></broadsheet-slot>`;
const WAIT = 'data-consent="wait"';
/** Ads arrive after the page has been painted without them. */
const LATE = `<script>requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
window.broadsheet = window.broadsheet?.push ? window.broadsheet : [];
window.broadsheet.push((ads) => ads.consent(true));
}, 50)))</script>`;
const STYLE = '<link rel="stylesheet" href="/broadsheet.css">';

describeInChromium("the publisher's check", (stage) => {
  const sites = useSites();
  let page: Page;

  beforeEach(async () => {
    page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
  });

  test('a page with the style sheet passes', async () => {
    sites.page.html = `${sites.head(WAIT)}<body>${SLOTS}${LATE}`;
    const shifts = await watchShifts(page);
    await page.goto(sites.publisher.url);
    await shifts.expectNone();
    expect(await shifts.bySlot()).toEqual([
      { slot: 'top', shift: 0, from: 128, to: 128 },
      { slot: 'middle', shift: 0, from: 128, to: 128 },
    ]);
  });

  test('without the style sheet, the check names each slot that moved the page and how to fix it', async () => {
    sites.page.html = `${sites.head(WAIT).replace(STYLE, '')}<body>${SLOTS}${LATE}`;
    const shifts = await watchShifts(page);
    await page.goto(sites.publisher.url);
    await expect(shifts.expectNone()).rejects.toThrow(
      /^slot "top" moved the page: layout shift 0\.\d+, its height went from 0 to \d+ px; link broadsheet\.css.*\nslot "middle" moved/,
    );
    const total = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            resolve(list.getEntries().reduce((sum, entry) => sum + ('value' in entry ? Number(entry.value) : 0), 0));
          }).observe({ type: 'layout-shift', buffered: true });
        }),
    );
    const sum = (await shifts.bySlot()).reduce((all, { shift }) => all + shift, 0);
    expect(total).toBeGreaterThan(0);
    expect(sum).toBeCloseTo(total, 6);
  });

  test('a slot is not blamed for elements that the page itself moves', async () => {
    sites.page.html = `${sites.head()}<body>${SLOTS}<script>
document.addEventListener('broadsheet:filled', () => setTimeout(() => { document.querySelector('h1').style.height = '200px' }, 100));
</script>`;
    const shifts = await watchShifts(page);
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => document.querySelector('h1')?.clientHeight === 200);
    await shifts.expectNone();
  });

  test.each([
    ['a flex row', 'display: flex'],
    ['a grid', 'display: grid; justify-items: start'],
    ['a float', 'float: left; width: 100%'],
  ])('a slot fills %s', async (_, style) => {
    sites.page.html = `${sites.head()}<body style="margin: 0"><div style="${style}"><broadsheet-slot name="top" format="BANNER"></broadsheet-slot></div>`;
    await page.goto(sites.publisher.url);
    expect((await page.locator('broadsheet-slot').boundingBox())?.width).toBe(1000);
  });

  test('the check reports that it was called too late, and that no slot got a response', async () => {
    sites.page.html = `${sites.head()}<body><p>No slots</p>`;
    await page.goto(sites.publisher.url);
    const shifts = await watchShifts(page, { patience: 100 });
    await expect(shifts.bySlot()).rejects.toThrow('before page.goto');
    await page.reload();
    await expect(shifts.bySlot()).rejects.toThrow('no slot got a response');
    sites.page.html = `${sites.head(WAIT)}<body>${SLOTS}`;
    await page.reload();
    await expect(shifts.expectNone()).rejects.toThrow('no response for top, middle');
  });
});
