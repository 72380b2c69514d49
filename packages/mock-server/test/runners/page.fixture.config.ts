import { defineConfig } from 'playwright/test';
import { CHROMIUM_ARGUMENTS } from '../../../../tools/testing/browsers.ts';
import { CHROMIUM } from '../../../../tools/testing/programs.ts';

export default defineConfig({
  testMatch: /page\.fixture\.ts$/,
  workers: 1,
  reporter: 'line',
  outputDir: '../../node_modules/.cache/playwright',
  use: { launchOptions: { executablePath: CHROMIUM ?? '', args: CHROMIUM_ARGUMENTS } },
});
