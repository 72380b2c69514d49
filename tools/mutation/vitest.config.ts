import { defineConfig } from 'vitest/config';
import { PACKAGES } from './packages.ts';

const source = '@broadsheet/source';
const { tests, without = [] } = PACKAGES[process.env['MUTATED'] ?? ''] ?? { tests: [] };

/** The tests that run against the mutants of `MUTATED`: those in Node, without a browser or a database. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'module', 'node', 'development|production'] } },
  test: {
    root: `${import.meta.dirname}/../..`,
    include: tests.map((name) => `packages/${name}/**/*.test.ts`),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    exclude: ['**/node_modules/**', '**/*.long.test.ts', '**/*.browser.test.ts', ...without],
  },
});
