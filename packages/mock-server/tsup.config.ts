import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    browser: 'src/browser.ts',
    msw: 'src/msw.ts',
    vitest: 'src/runners/vitest.ts',
    jest: 'src/runners/jest.ts',
    playwright: 'src/runners/playwright.ts',
    storybook: 'src/runners/storybook.ts',
    factories: 'src/factories.ts',
    control: 'src/control/remote-world.ts',
    main: 'src/main.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
  // Without it the declarations would import the private packages.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  external: [/^node:/, 'msw'],
  // What `--import` reads with comes along, so that users install nothing more.
  noExternal: [/^@broadsheet\//, 'marked', 'smol-toml', 'yaml'],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source', 'module', 'import'];
  },
});
