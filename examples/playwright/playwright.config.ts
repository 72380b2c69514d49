import { existsSync } from 'node:fs';
import { defineConfig } from 'playwright/test';

// The Chromium of the system, if installed; otherwise the one from `npx playwright install chromium`.
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export default defineConfig({
  reporter: 'line',
  outputDir: '../node_modules/.cache/playwright',
  use: { launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-gpu'] } },
});
