import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** Does something and stays, until the popup of the page has come; its file may not be loaded at the first time. */
export async function openPopup(page: Page): Promise<Locator> {
  const close = page.locator('broadsheet-slot .close');
  await expect
    .poll(() => page.mouse.click(5, 5).then(() => close.count()), { interval: 1500, timeout: 20_000 })
    .toBe(1);
  return close;
}
