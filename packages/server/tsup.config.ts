import { defineConfig, type Options } from 'tsup';
import { writeDeclarations } from '../../tools/declarations.ts';

const source = '@broadsheet/source';

const base: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  // Keeps commands in separate chunks, so that each loads only what it needs.
  splitting: true,
  sourcemap: true,
  // node:sqlite exists only with its prefix.
  removeNodeProtocol: false,
  // Bundled too, because one file takes almost no time to load.
  noExternal: [/^@broadsheet\//, 'sql-template-tag', 'commander'],
  external: ['esbuild', 'terser', /^cloudflare:/],
  esbuildOptions(options) {
    options.conditions = [source];
    // For the panel's pages, as in the tsconfig.json of the panel.
    options.jsx = 'automatic';
    options.jsxImportSource = 'hono/jsx';
  },
};

/** Builds the code; the programs in `tools` write the other files. */
export default defineConfig([
  // The thread of the panel is a separate entry point, next to the code that starts it.
  {
    ...base,
    entry: { main: 'src/main.ts', index: 'src/index.ts', 'operators-worker': 'src/operators/worker.ts' },
    clean: true,
    onSuccess: () => writeDeclarations({ index: 'src/index.ts' }),
  },
  {
    ...base,
    // Everything in one file, so that a deployment installs only this package.
    entry: ['src/workers.ts'],
    platform: 'neutral',
    splitting: false,
    noExternal: [/^(?!node:|cloudflare:)/],
    external: [/^node:/, /^cloudflare:/],
    onSuccess: () => writeDeclarations({ workers: 'src/workers.ts' }),
  },
]);
