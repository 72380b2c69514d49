import { expect, test, vi } from 'vitest';
import { setViewport } from './browsers.ts';
import { openSite } from './site.ts';
import { describeInFirefox } from './stage.ts';

describeInFirefox('a page of Firefox over puppeteer', (stage) => {
  test('shows a site', async () => {
    const hello = '<h1>Hello</h1>';
    await using site = await openSite((_, response) => void response.setHeader('Content-Type', 'text/html').end(hello));
    const page = await stage.browser.newPage();
    await page.goto(site.url);
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Hello');
  });

  test('gets the size of a window, even if this version cannot emulate the orientation of the screen', async () => {
    const page = await stage.browser.newPage();
    const frame = page.mainFrame() as unknown as Record<'browsingContext', { setScreenOrientationOverride(): unknown }>;
    const refusal = 'Protocol error (emulation.setScreenOrientationOverride): unknown command';
    vi.spyOn(frame.browsingContext, 'setScreenOrientationOverride').mockRejectedValue(new Error(refusal));
    await expect(page.setViewport({ width: 700, height: 500 })).rejects.toThrow(refusal);
    await setViewport(page, { width: 640, height: 480 });
    expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([640, 480]);
  });
});
