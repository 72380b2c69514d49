import type { ElementHandle, Page } from 'puppeteer-core';

/**
 * The link of the ad in the first slot that `selector` finds, once it exists. Polled, because `waitForSelector`
 * observes the document and does not notice a shadow root that is attached while it waits.
 */
export async function adLink(page: Page, selector = 'broadsheet-slot'): Promise<ElementHandle<HTMLAnchorElement>> {
  const found = await page.waitForFunction(
    (slot) => document.querySelector(slot)?.shadowRoot?.querySelector('a'),
    { polling: 50 },
    selector,
  );
  return found as ElementHandle<HTMLAnchorElement>;
}
