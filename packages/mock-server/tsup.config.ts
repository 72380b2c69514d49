import { defineConfig } from 'tsup';

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/browser.ts',
    'src/msw.ts',
    'src/vitest.ts',
    'src/playwright.ts',
    'src/control.ts',
    'src/main.ts',
  ],
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  clean: true,
  dts: true,
  external: [/^node:/, 'msw'],
  noExternal: [/^@broadsheet\//, 'zod'],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source', 'module', 'import'];
  },
});
