import { defineConfig, type Options } from 'tsup';

const base: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  removeNodeProtocol: false,
  // Without it the declarations would import the private packages.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  external: [/^node:/, 'msw'],
  // What `--import` reads with comes along, so that users install nothing more.
  noExternal: [/^@broadsheet\//, 'marked', 'smol-toml', 'yaml'],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source', 'module', 'import'];
  },
};

/** What both main doors import first: what they share would else run before it. */
const first: NonNullable<Options['plugins']>[number] = {
  name: 'first',
  renderChunk: (code, { entryPoint = '' }) =>
    /src\/(index|browser)\.ts$/.test(entryPoint) ? { code: `import './web-platform.js';\n${code}` } : undefined,
};

// Each file costs Node a millisecond, and what several entries share is a file of its own: so entries are built together
// only where they must share what they remember.
export default defineConfig([
  { ...base, entry: { 'web-platform': 'src/doors/web-platform.ts' } },
  { ...base, entry: { index: 'src/index.ts', msw: 'src/msw.ts' }, plugins: [first] },
  { ...base, entry: { main: 'src/main.ts' } },
  { ...base, entry: { browser: 'src/browser.ts' }, plugins: [first] },
  { ...base, entry: { factories: 'src/factories.ts' } },
  {
    ...base,
    entry: {
      vitest: 'src/runners/vitest.ts',
      jest: 'src/runners/jest.ts',
      playwright: 'src/runners/playwright.ts',
      storybook: 'src/runners/storybook.ts',
      control: 'src/control/remote-world.ts',
    },
  },
]);
