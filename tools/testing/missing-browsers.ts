import type { TestProject } from 'vitest/node';
import { CHROMIUM, FIREFOX } from './programs.ts';

/** Reports which browsers are not installed. @throws Error in CI, which must have all of them */
export default function setup({ name }: TestProject): void {
  // Only long tests use Firefox.
  const needed = { Chromium: CHROMIUM, ...(name === 'long' && { Firefox: FIREFOX }) };
  for (const [browser, path] of Object.entries(needed)) {
    if (path) continue;
    const message = `${browser} is not installed: its tests are not run`;
    if (process.env['CI'] || process.env['REQUIRE_BROWSER']) throw new Error(message);
    console.warn(`\n*** SKIPPED: ${message} ***\n`);
  }
}
