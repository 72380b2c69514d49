import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** Clicks and stays until the popup has opened. Repeated, because its file may not have loaded the first time. */
export async function openPopup(page: Page): Promise<Locator> {
  const close = page.locator('broadsheet-slot .close');
  await expect
    .poll(() => page.mouse.click(5, 5).then(() => close.count()), { interval: 1500, timeout: 20_000 })
    .toBe(1);
  return close;
}
