import { defineConfig, type Options } from 'tsup';

const base: Options = {
  entry: ['src/index.ts', 'src/schemas.ts'],
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  // Without it the declarations would import the private package.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  noExternal: [/^@broadsheet\//],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source'];
  },
};

export default defineConfig([
  { ...base, format: 'esm', clean: true },
  // ky is ESM only, and its default export gets lost under require(): the CommonJS build carries it along.
  { ...base, format: 'cjs', noExternal: [/^@broadsheet\//, 'ky'] },
]);
