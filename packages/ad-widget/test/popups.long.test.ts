import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { widgetFiles } from '../tools/files.ts';
import { openPopup } from './site/open-popup.ts';
import { useSites } from './site/sites.ts';

describeInChromium('popups are requested for readers who stay', (stage) => {
  const sites = useSites();
  let page: Page;

  beforeEach(async () => {
    sites.api.delivered = 0;
    page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
  });

  test('no popup is requested for a reader who clicks "next" through eight articles', async () => {
    sites.page.html = `${sites.head()}<body><p style="height: 300px">Words.</p><a id="next" href="/another">Next</a>
<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>`;
    await page.goto(sites.publisher.url);
    for (let article = 0; article < 8; article++) {
      await page.waitForFunction(() => document.querySelector('broadsheet-slot')?.isConnected);
      await page.waitForLoadState('networkidle');
      await Promise.all([page.waitForEvent('load'), page.click('#next')]);
    }
    expect(sites.api.delivered).toBe(0);
    await openPopup(page);
    expect(sites.api.delivered).toBe(1);
  });

  test.each([
    ['a link that a script of the page follows', `<a id="next" href="/slow">Next</a>`],
    ['a button', `<button id="next">Next</button>`],
  ])('no popup is requested for a reader who leaves by %s, however slow the next page is', async (_, next) => {
    sites.page.html = `${sites.head()}<body>${next}<broadsheet-slot name="p" format="POPUP"></broadsheet-slot><script>
document.querySelector('#next').addEventListener('click', (event) => { event.preventDefault(); location.href = '/slow'; });</script>`;
    await page.route('**/slow', async (route) => {
      // Longer than it takes to settle.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await route.fulfill({ contentType: 'text/html', body: 'The next page' });
    });
    await page.goto(sites.publisher.url);
    await page.waitForLoadState('networkidle');
    await page.click('#next', { noWaitAfter: true });
    await page.waitForURL('**/slow');
    expect(sites.api.delivered).toBe(0);
  });

  test('the cap holds for a day from the popup that was shown, even on the next page', async () => {
    sites.page.html = `${sites.head()}<body><broadsheet-slot name="p" format="POPUP"></broadsheet-slot>`;
    await page.goto(sites.publisher.url);
    await openPopup(page);
    sites.api.delivered = 0;
    await page.goto(`${sites.publisher.url}/another?broadsheet-debug`);
    await page.mouse.click(5, 5);
    await expect.poll(() => page.locator('td').allTextContents()).toContain('this reader had a popup (see "every")');
    expect(sites.api.delivered).toBe(0);
  });

  test('two copies of the script, such as two versions, show one popup at a time', async () => {
    const copy = (name: string) =>
      `<script async src="/${name}/broadsheet.js" data-base-url="${sites.api.url}" data-api-key="the-key" data-client="${name}"></script>`;
    const slots = ['v1', 'v2'].map(
      (name) => `<broadsheet-slot name="${name}" client="${name}" format="POPUP" every="0"></broadsheet-slot>`,
    );
    // Each copy has its own files, like those below /broadsheet/VERSION/.
    const files: ReadonlyMap<string, string> = await widgetFiles();
    await page.route(/\/v[12]\/broadsheet/, (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      return route.fulfill({ contentType: 'text/javascript', body: files.get(name) ?? '' });
    });
    sites.page.html = `<!doctype html>${copy('v1')}${copy('v2')}<body><p>Words.</p>${slots.join('')}`;
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length === 2);
    await openPopup(page);
    await page.mouse.click(5, 5);
    // Longer than it takes to settle.
    await page.waitForTimeout(2500);
    expect(sites.api.delivered).toBe(1);
  });

  test('a dialog never opens while somebody is typing', async () => {
    sites.page.html = `${sites.head()}<body><textarea></textarea><p>Words.</p><broadsheet-slot name="p" format="POPUP" dialog></broadsheet-slot>`;
    await page.goto(sites.publisher.url);
    await page.waitForLoadState('networkidle');
    await page.locator('textarea').pressSequentially('A comment that takes its time', { delay: 100 });
    await page.waitForFunction(() => performance.now() > 5000);
    expect(await page.locator('dialog').count()).toBe(0);
    expect(sites.api.delivered).toBe(0);
    expect(await page.locator('textarea').inputValue()).toBe('A comment that takes its time');
    await page.locator('textarea').blur();
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(1);
  });
});
