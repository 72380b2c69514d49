import { type Browser, chromium } from 'playwright';
import { type Browser as BidiBrowser, launch, type Page, type Viewport } from 'puppeteer-core';
import { CHROMIUM, FIREFOX } from './programs.ts';

/** Flags that Chromium needs in a container, and flags that disable background requests. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** Starts the Chromium of this machine. @throws Error if it is not installed */
export async function launchChromium(): Promise<Browser> {
  if (!CHROMIUM) throw new Error('Chromium is not installed.');
  return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
}

/** A host name that both browsers resolve to this machine, as an attacker's DNS server could. */
export const REBOUND_HOST = 'rebound.example';

/** Chromium with prerendering and the back/forward cache, both of which Playwright turns off. */
export async function launchFullChromium(): Promise<BidiBrowser> {
  if (!CHROMIUM) throw new Error('Chromium is not installed.');
  const args = [...CHROMIUM_ARGUMENTS, `--host-resolver-rules=MAP ${REBOUND_HOST} 127.0.0.1`];
  return launch({ executablePath: CHROMIUM, headless: true, args });
}

/** Debian's Firefox, which Playwright cannot drive, over WebDriver BiDi. @throws Error if it is not installed */
export async function launchFirefox(): Promise<BidiBrowser> {
  if (!FIREFOX) throw new Error('Firefox is not installed.');
  const extraPrefsFirefox = { 'network.dns.localDomains': REBOUND_HOST };
  return launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox });
}

/**
 * Sets the size of the window. With it, puppeteer sends the orientation of the screen, a command that
 * older versions of Firefox reject; the size is set anyway.
 */
export async function setViewport(page: Page, viewport: Viewport): Promise<void> {
  await page.setViewport(viewport).catch((error) => {
    if (!String(error).includes('setScreenOrientationOverride')) throw error;
  });
  await page.waitForFunction(
    (width, height) => innerWidth === width && innerHeight === height,
    {},
    viewport.width,
    viewport.height,
  );
}
