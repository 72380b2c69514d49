import { launch } from 'puppeteer-core';
import { CHROMIUM_ARGUMENTS } from '../../../../tools/launch-chromium.ts';
import { CHROMIUM, FIREFOX } from '../../../../tools/programs.ts';

export { launchChromium } from '../../../../tools/launch-chromium.ts';
export { CHROMIUM, FIREFOX };

for (const [name, path] of Object.entries({ Chromium: CHROMIUM, Firefox: FIREFOX })) {
  if (!path) console.warn(`\n*** SKIPPED: ${name} is not installed: the widget is not clicked in it ***\n`);
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
    args: CHROMIUM_ARGUMENTS,
  });
}
