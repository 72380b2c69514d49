import { defineConfig, type Options } from 'tsup';
import { writeDeclarations } from '../../tools/declarations.ts';

const base: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  removeNodeProtocol: false,
  external: [/^node:/, 'msw'],
  // Bundles the parsers that `--import` needs, so that users install nothing else.
  noExternal: [
    /^@(?:broadsheet|lezer)\//,
    'fastest-levenshtein',
    'htmlparser2',
    'jsonc-parser',
    'marked',
    'smol-toml',
    'yaml',
  ],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source', 'module', 'import'];
    // jsonc-parser has no exports, and its CommonJS files cannot be bundled.
    options.mainFields = ['module', 'main'];
  },
};

/** Makes both main entry points import this first; otherwise the modules that they share would run before it. */
const first: NonNullable<Options['plugins']>[number] = {
  name: 'first',
  renderChunk: (code, { entryPoint = '' }) =>
    /src\/(index|browser)\.ts$/.test(entryPoint) ? { code: `import './web-platform.js';\n${code}` } : undefined,
};

const LAZY = ['lenses/change-response', 'lenses/explore', 'faults/apply-fault', 'worlds/signing', 'doors/listen'];

/**
 * Moves code that is loaded on first use to files that share no code with the first one. If they shared code, the first
 * file would be split: a page would load 0.8 KB more, and Node ten files instead of three.
 */
export const lazyFiles: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'lazy-files',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = LAZY.find((module) => path.endsWith(`/${module.split('/')[1]}.ts`));
      if (!name) throw new Error(`tsup.config.ts: add ${path} to LAZY`);
      return { path: `./lazy/${name.split('/')[1]}.js`, external: true };
    });
  },
};

const index = { index: 'src/index.ts', msw: 'src/msw.ts' };
const main = { main: 'src/main.ts' };
const browser = { browser: 'src/browser.ts' };
const lazy = Object.fromEntries(LAZY.map((module) => [`lazy/${module.split('/')[1]}`, `src/${module}.ts`]));
const factories = { factories: 'src/data/factories.ts' };
const runners = {
  vitest: 'src/runners/vitest.ts',
  jest: 'src/runners/jest.ts',
  playwright: 'src/runners/playwright.ts',
  storybook: 'src/runners/storybook.ts',
  control: 'src/control/remote-world.ts',
};

// Each file costs Node a millisecond, and code that several entries share becomes a separate file. So entries are built
// together only if they must share state.
export default defineConfig([
  { ...base, entry: { 'web-platform': 'src/doors/web-platform.ts' } },
  {
    ...base,
    entry: index,
    plugins: [first],
    esbuildPlugins: [lazyFiles],
    onSuccess: () => writeDeclarations({ ...index, ...factories, ...runners }),
  },
  { ...base, entry: main },
  { ...base, entry: browser, plugins: [first], esbuildPlugins: [lazyFiles] },
  { ...base, entry: lazy },
  { ...base, entry: factories },
  { ...base, entry: runners },
]);
