import { defineConfig } from 'vitest/config';

const conditions = ['@broadsheet/source', 'module', 'node', 'development|production'];

// Tests of the adapters, in pools that run each test file in its own realm.
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/doors/msw.test.ts', 'test/msw-2-handlers.test.ts', 'src/runners/vitest.test.ts'],
    testTimeout: 30_000,
  },
});
