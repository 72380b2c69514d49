export { CHROMIUM_ARGUMENTS, launchChromium } from './testing/browsers.ts';
