import type { Page } from 'playwright';
import { expect, test, vi } from 'vitest';
import { setViewport } from './browsers.ts';
import { openSite } from './site.ts';
import { describeInChromium, describeInFirefox, recordConsole } from './stage.ts';

const hello = () =>
  openSite((_, response) => void response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>'));

describeInChromium('a page of Chromium', (stage) => {
  let first: Page | undefined;

  test('has the requested settings, and its console is recorded', async () => {
    await using site = await hello();
    first = await stage.newPage({ colorScheme: 'dark' });
    const messages = recordConsole(first);
    await first.goto(site.url);
    expect(await first.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await first.evaluate(() => console.log('said'));
    await expect.poll(() => messages).toContain('said');
  });

  test('is closed with its test', () => expect(first?.isClosed()).toBe(true));
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
