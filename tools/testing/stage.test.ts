import type { Page } from 'playwright';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { setViewport } from './browsers.ts';
import { openSite } from './site.ts';
import { describeInChromium, describeInFirefox, recordConsole } from './stage.ts';

const hello = () =>
  openSite((_, response) => void response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>'));

describeInChromium('a page of Chromium', (stage) => {
  const pages: Page[] = [];
  // Runs after those of the test, which close the page.
  beforeEach(() => {
    onTestFinished(() => expect(pages.map((page) => page.isClosed())).toEqual([true]));
  });

  test('has the requested settings, its console is recorded, and it is closed with its test', async () => {
    await using site = await hello();
    const first = await stage.newPage({ colorScheme: 'dark' });
    pages.push(first);
    const messages = recordConsole(first);
    await first.goto(site.url);
    expect(await first.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await first.evaluate(() => console.log('said'));
    await expect.poll(() => messages).toContain('said');
  });
});

describeInFirefox('a page of Firefox over puppeteer', (stage) => {
  test('shows a site', async () => {
    await using site = await hello();
    const page = await stage.browser.newPage();
    await page.goto(site.url);
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Hello');
  });

  test('gets the size of a window, also if this version cannot emulate the orientation of the screen', async () => {
    const page = await stage.browser.newPage();
    const frame = page.mainFrame() as unknown as Record<'browsingContext', { setScreenOrientationOverride(): unknown }>;
    const refusal = 'Protocol error (emulation.setScreenOrientationOverride): unknown command';
    vi.spyOn(frame.browsingContext, 'setScreenOrientationOverride').mockRejectedValue(new Error(refusal));
    await expect(page.setViewport({ width: 700, height: 500 })).rejects.toThrow(refusal);
    await setViewport(page, { width: 640, height: 480 });
    expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([640, 480]);
  });
});
