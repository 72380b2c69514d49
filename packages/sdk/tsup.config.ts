import { ENDPOINTS } from '@broadsheet/contract';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The endpoint table with what a call needs: summaries, sections and failures are for documents and types. */
const slimEndpoints: Plugin = {
  name: 'slim-endpoints',
  setup(build) {
    const rows = Object.entries(ENDPOINTS).map(([id, row]) => {
      const { summary: _summary, section: _section, failures: _failures, ...kept } = row;
      return [id, kept];
    });
    const contents = `export const ENDPOINTS = ${JSON.stringify(Object.fromEntries(rows))};
export const ENDPOINT_IDS = /* @__PURE__ */ Object.keys(ENDPOINTS);`;
    build.onLoad({ filter: /contract[\\/]src[\\/]endpoints\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

const base: Options = {
  entry: ['src/index.ts', 'src/schemas.ts'],
  target: 'es2022',
  platform: 'neutral',
  // One file an entry: a shared chunk would bring the schemas, and zod, into the client.
  splitting: false,
  sourcemap: true,
  // Without it the declarations would import the private package.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  noExternal: [/^@broadsheet\//],
  esbuildPlugins: [slimEndpoints],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source'];
  },
};

export default defineConfig([
  { ...base, format: 'esm', clean: true },
  // ky is ESM only, and its default export gets lost under require(): the CommonJS build carries it along.
  { ...base, format: 'cjs', noExternal: [/^@broadsheet\//, 'ky'] },
]);
