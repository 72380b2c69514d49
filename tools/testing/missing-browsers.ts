import { CHROMIUM, FIREFOX } from './programs.ts';

/** Says once which browsers are not installed. @throws Error in CI, which must have all of them */
export default function setup(): void {
  for (const [browser, path] of Object.entries({ Chromium: CHROMIUM, Firefox: FIREFOX })) {
    if (path) continue;
    const news = `${browser} is not installed: its tests are not run`;
    if (process.env['CI'] || process.env['REQUIRE_BROWSER']) throw new Error(news);
    console.warn(`\n*** SKIPPED: ${news} ***\n`);
  }
}
