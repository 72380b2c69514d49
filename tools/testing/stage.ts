import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { Browser as BidiBrowser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { launchChromium, launchFirefox, launchFullChromium } from './browsers.ts';
import { CHROMIUM, FIREFOX } from './programs.ts';

/** A browser that is open for a group of tests. */
export interface Stage<B> {
  readonly browser: B;
}

/** Chromium for a group of tests. */
export interface ChromiumStage extends Stage<Browser> {
  /** A page with separate storage and settings, which is closed after the test that opened it. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** A group of tests that share a Chromium; skipped if it is not installed, which is reported once. */
export function describeInChromium(name: string, tests: (stage: ChromiumStage) => void): void {
  describeIn('Chromium', CHROMIUM, name, launchChromium, (stage) => {
    const newPage = async (options?: BrowserContextOptions) => {
      const page = await stage.browser.newPage(options);
      onTestFinished(() => page.close());
      return page;
    };
    tests(Object.defineProperty({ newPage }, 'browser', { get: () => stage.browser }) as ChromiumStage);
  });
}

/** Like {@link describeInChromium}, with prerendering and the back/forward cache, driven by puppeteer. */
export function describeInFullChromium(name: string, tests: (stage: Stage<BidiBrowser>) => void): void {
  describeIn('Chromium', CHROMIUM, name, launchFullChromium, tests);
}

/** A group of tests that share a Firefox, driven by puppeteer; skipped if it is not installed, which is reported once. */
export function describeInFirefox(name: string, tests: (stage: Stage<BidiBrowser>) => void): void {
  describeIn('Firefox', FIREFOX, name, launchFirefox, tests);
}

/** A group of tests that runs in Chromium and in Firefox, both driven by puppeteer. */
export function describeInEach(name: string, tests: (stage: Stage<BidiBrowser>) => void): void {
  describeInFullChromium(`Chromium: ${name}`, tests);
  describeInFirefox(`Firefox: ${name}`, tests);
}

function describeIn<B extends { close(): Promise<void> }>(
  program: string,
  path: string | undefined,
  name: string,
  open: () => Promise<B>,
  tests: (stage: Stage<B>) => void,
): void {
  describe.skipIf(!path)(name, () => {
    let browser: B | undefined;
    beforeAll(async () => {
      browser = await open();
    });
    afterAll(() => browser?.close());
    tests({
      get browser() {
        if (!browser) throw new Error(`${program} is open while the tests of "${name}" run, not before`);
        return browser;
      },
    });
  });
}

/** Records the console messages of a page and its uncaught errors from now on. */
export function recordConsole(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  return messages;
}
