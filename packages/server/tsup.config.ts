import { defineConfig, type Options } from 'tsup';

const source = '@broadsheet/source';

const base: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  // Commands stay apart, so that each loads only what it needs.
  splitting: true,
  sourcemap: true,
  // node:sqlite has no name without its prefix.
  removeNodeProtocol: false,
  // So are Kysely and Commander: a query builder of 255 modules is half of what a start would load, the same in one file
  // is hardly noticed.
  noExternal: [/^@broadsheet\//, 'kysely', 'commander'],
  external: ['esbuild', 'terser', /^cloudflare:/],
  esbuildOptions(options) {
    options.conditions = [source];
    // The panel's pages; each says so too, but only of an automatic runtime.
    options.jsx = 'automatic';
    options.jsxImportSource = 'hono/jsx';
  },
};

/** The code; what lies beside it is written by the programs in `tools`. */
export default defineConfig([
  // The thread of the panel is a program of its own, beside what starts it.
  {
    ...base,
    entry: { main: 'src/main.ts', index: 'src/index.ts', 'panel-thread': '../panel/src/thread/panel-thread.ts' },
    clean: true,
  },
  {
    ...base,
    // One file with everything in it: no splitting, and nothing for the deployment to install but this package.
    entry: ['src/workers.ts'],
    platform: 'neutral',
    splitting: false,
    noExternal: [/^(?!node:|cloudflare:)/],
    external: [/^node:/, /^cloudflare:/],
  },
]);
