import { type Browser, chromium } from 'playwright';
import { CHROMIUM } from './programs.ts';

/** What Chromium needs in a container, and what keeps it from calling home. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** Starts the Chromium of this machine. @throws Error when there is none */
export async function launchChromium(): Promise<Browser> {
  if (!CHROMIUM) throw new Error('Chromium is not installed.');
  return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
}
