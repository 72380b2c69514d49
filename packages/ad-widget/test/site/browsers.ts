import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';
import { launch } from 'puppeteer-core';

const find = (name: string, ...paths: string[]): string | undefined => {
  const found = paths.find((path) => existsSync(path));
  if (!found) console.warn(`\n*** SKIPPED: ${name} is not installed: the widget is not clicked in it ***\n`);
  return found;
};

export const CHROMIUM = find('Chromium', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome');
export const FIREFOX = find('Firefox', '/usr/bin/firefox-esr', '/usr/bin/firefox');

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
}

/** Debian's Firefox, which Playwright cannot drive, over WebDriver BiDi. */
export function launchFirefox() {
  return launch({ browser: 'firefox', ...(FIREFOX ? { executablePath: FIREFOX } : {}), headless: true });
}

/** Chromium with prerendering and the back/forward cache, both of which Playwright turns off. */
export function launchWholeChromium() {
  return launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
}
