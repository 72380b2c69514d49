import { readFileSync, writeFileSync } from 'node:fs';
import { type BuildOptions, transformSync } from 'esbuild';
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
  /^(schedule|stored|consented|receipts|register|resume|startClock|undraw|inView|half|clock|followed|broken|watch|forget|rotation|pending|line|came|left|settle|fill|fail|emit)$/;
/** The files a page loads: esbuild's minifier and then terser, which is smaller than either. */
const script = {
  target: 'es2022',
  minify: 'terser',
  esbuildOptions(options: BuildOptions): void {
    Object.assign(options, { minifySyntax: true, minifyIdentifiers: true, minifyWhitespace: true });
  },
  terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, keep_fargs: false } },
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
    terserOptions: {
      ...script.terserOptions,
      mangle: { properties: { regex: PRIVATE } },
      // All of it runs when a page loads: V8 then compiles it whole, beside the main thread.
      format: { preamble: '//# allFunctionsCalledOnLoad' },
    },
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
