import type { ElementHandle, Page } from 'puppeteer-core';

/**
 * The link of the page's first ad, once it is there. Asked for again and again: `waitForSelector` watches the document,
 * and does not notice a shadow root that is made while it waits.
 */
export async function adLink(page: Page): Promise<ElementHandle<HTMLAnchorElement>> {
  const found = await page.waitForFunction(
    () => document.querySelector('broadsheet-slot')?.shadowRoot?.querySelector('a'),
    { polling: 50 },
  );
  return found as ElementHandle<HTMLAnchorElement>;
}
