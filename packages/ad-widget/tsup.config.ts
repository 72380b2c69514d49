import { readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { defineConfig } from 'tsup';

/** Loaded when a page needs them; beside broadsheet.js under these names. */
const onDemand = {
  'broadsheet-popup': 'src/popup.ts',
  'broadsheet-consent-platform': 'src/consent-platform.ts',
  'broadsheet-advice': 'src/advice.ts',
  'broadsheet-rehearsal': 'src/rehearsal.ts',
  'broadsheet-overlay': 'src/overlay.ts',
};
/** Names of our own that no other file and no page sees. Everything else keeps its name. */
const PRIVATE =
  /^(schedule|stored|consented|receipts|register|pageChanged|startClock|undraw|inView|followed|broken|watch|forget|rotation|pending|line)$/;
const script = {
  target: 'es2022',
  minify: 'terser',
  terserOptions: {
    module: true,
    ecma: 2020,
    compress: {
      passes: 3,
      booleans_as_integers: false,
      pure_getters: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      hoist_funs: true,
      keep_fargs: false,
    },
  },
  dts: false,
  splitting: false,
} as const;

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      rehearsal: 'src/rehearsal.ts',
      overlay: 'src/overlay.ts',
      server: 'src/server.ts',
      react: 'src/react.ts',
      vue: 'src/vue.ts',
    },
    external: ['react', 'vue'],
    format: 'esm',
    target: 'es2022',
    splitting: true,
    dts: true,
    noExternal: ['@broadsheet/contract'],
    onSuccess: async () => {
      const css = readFileSync('src/broadsheet.css', 'utf8');
      writeFileSync(
        'dist/broadsheet.css',
        transformSync(css, { loader: 'css', minify: true, target: 'chrome105' }).code,
      );
    },
  },
  { ...script, format: 'esm', entry: onDemand, noExternal: ['@broadsheet/contract'] },
  {
    ...script,
    terserOptions: { ...script.terserOptions, mangle: { properties: { regex: PRIVATE } } },
    // Not 'iife': esbuild would wrap the dynamic imports in its CommonJS shims.
    format: 'esm',
    banner: { js: '(()=>{' },
    footer: { js: '})()' },
    entry: { broadsheet: 'src/script.ts' },
    outExtension: () => ({ js: '.js' }),
    esbuildPlugins: [
      {
        name: 'on-demand',
        setup(build) {
          // A dynamic import in a classic script is resolved against the script's own address.
          build.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ kind, path }) =>
            kind === 'dynamic-import'
              ? { path: path.replace(/^\.\/(.*)\.ts$/, './broadsheet-$1.js'), external: true }
              : undefined,
          );
        },
      },
    ],
  },
]);
