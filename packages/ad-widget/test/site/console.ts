import type { Page } from 'playwright';

/** Everything a page says on its console from now on, and every error that nobody caught. */
export function listen(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  return said;
}
