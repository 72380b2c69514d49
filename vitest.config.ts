import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { msw } from 'msw/vite';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGUMENTS } from './tools/testing/browsers.ts';
import { LongestFirst } from './tools/testing/longest-first.ts';
import { CHROMIUM } from './tools/testing/programs.ts';
import { Retried } from './tools/testing/retried.ts';
import { temporaryRoot } from './tools/testing/temporary-root.ts';

const source = '@broadsheet/source';
const GIBIBYTE = 2 ** 30;
/** Tests that take minutes by nature: `pnpm test` leaves them out, `pnpm test:long` runs them alone. */
const LONG = '{packages,tools,docs}/**/*.long.test.ts';

/** Tests that run inside a page. */
const IN_BROWSER = ['packages/*/test/browser/**/*.test.ts', 'packages/*/src/**/*.browser.test.ts'];

export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'module', 'node', 'development|production'] } },
  test: {
    reporters: ['default', new Retried()],
    // The compiled code of workers, and of the processes and threads that tests start.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    // Most files wait for a browser, a database or a clock: two more than there are cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    // A shared machine may starve a page for a moment, so a failed test runs once more before it counts; `Retried` counts those.
    retry: process.env['CI'] ? 1 : 0,
    // Elsewhere, Vitest remembers how long each file took.
    ...(process.env['CI'] && { sequence: { sequencer: LongestFirst } }),
    // Long, so that no test fails on a busy machine; a poll ends as soon as its condition holds.
    expect: { poll: { timeout: 10_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: ['./tools/testing/missing-browsers.ts', './tools/testing/postgres.ts'],
          env: { TMPDIR: temporaryRoot(2 * GIBIBYTE) },
          // Files share workers, so that the code is loaded once in each.
          isolate: false,
          setupFiles: './tools/testing/leave-nothing.ts',
          // Only for tests that hang: how long hundreds of cases take says nothing on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          include: ['{packages,tools,bench,docs}/**/*.test.ts', 'examples/*/*.test.{ts,tsx}'],
          exclude: [
            LONG,
            'packages/ad-widget/src/**',
            'packages/*/test/browser/**',
            'tools/no-chromium.test.ts',
            '**/node_modules/**',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          environment: 'node',
          // Browsers keep the cores busy, and some of these tests watch a clock.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
          globalSetup: ['./tools/testing/missing-browsers.ts', './tools/testing/postgres.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
          include: [LONG],
          exclude: ['**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'happy-dom',
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
          isolate: false,
          setupFiles: './tools/testing/leave-nothing.ts',
          include: ['packages/ad-widget/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.ts'],
        },
      },
      CHROMIUM
        ? {
            extends: true,
            plugins: [msw({ mode: 'worker-only' })],
            // Found before the first test, because a dependency that is found during a test reloads its page.
            optimizeDeps: { entries: IN_BROWSER },
            test: {
              name: 'browser',
              testTimeout: 30_000,
              include: IN_BROWSER,
              browser: {
                enabled: true,
                headless: true,
                screenshotFailures: false,
                instances: [{ browser: 'chromium' as const }],
                provider: playwright({ launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS } }),
              },
            },
          }
        : { extends: true, test: { name: 'browser (not run)', include: ['tools/no-chromium.test.ts'] } },
    ],
  },
});
