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
  removeNodeProtocol: false,
  // Without it the declarations would import the private packages.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  external: [/^node:/, 'msw'],
  noExternal: [/^@broadsheet\//],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source', 'module', 'import'];
  },
});
