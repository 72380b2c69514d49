import type { Page } from 'playwright';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openSite } from './site.ts';
import { describeInChromium, recordConsole } from './stage.ts';

describeInChromium('a page of Chromium', (stage) => {
  const pages: Page[] = [];
  // Runs after the hooks of the test, which close the page.
  beforeEach(() => {
    onTestFinished(() => expect(pages.map((page) => page.isClosed())).toEqual([true]));
  });

  test('has the requested settings, its console is recorded, and it is closed with its test', async () => {
    await using site = await openSite((_, response) => void response.end());
    const first = await stage.newPage({ colorScheme: 'dark' });
    pages.push(first);
    const messages = recordConsole(first);
    await first.goto(site.url);
    expect(await first.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await first.evaluate(() => console.log('said'));
    await expect.poll(() => messages).toContain('said');
  });
});
