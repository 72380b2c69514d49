import type { Browser } from 'playwright';
import type { Browser as BidiBrowser } from 'puppeteer-core';
import type { Reader } from './first-ad.ts';

/** A browser without a window counts as a bot. */
const READER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

/** A reader with Chromium. */
export const chromiumReader = (browser: Browser): Reader => ({
  async visit(url, isSeen, isClicked) {
    const page = await browser.newPage({ userAgent: READER });
    await page.goto(url);
    const ad = page.locator('broadsheet-slot a');
    await ad.waitFor();
    await isSeen();
    await ad.click();
    await isClicked();
    await page.close();
  },
});

/** A reader with Firefox. */
export const firefoxReader = (browser: BidiBrowser): Reader => ({
  async visit(url, isSeen, isClicked) {
    const page = await browser.newPage();
    await page.goto(url);
    const ad = page.locator('broadsheet-slot >>> a');
    await ad.wait();
    await isSeen();
    await ad.click();
    await isClicked();
    await page.close();
  },
});
