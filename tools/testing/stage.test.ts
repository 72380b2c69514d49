import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openSite } from './site.ts';
import { describeInChromium, describeInFirefox, describeInFullChromium, recordConsole } from './stage.ts';

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

for (const [name, describeIn] of Object.entries({ Firefox: describeInFirefox, Chromium: describeInFullChromium })) {
  describeIn(`a page of ${name} over puppeteer`, (stage) => {
    test('shows a site', async () => {
      await using site = await hello();
      const page = await stage.browser.newPage();
      await page.goto(site.url);
      expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Hello');
    });
  });
}
