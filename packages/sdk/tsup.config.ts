import { defineConfig, type Options } from 'tsup';

const base: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  // Without these the declarations would import the private package: `resolve` reads no `exports`, so that it finds the
  // main door alone, and the compiler finds the other by its path.
  dts: {
    resolve: [/^@broadsheet\/contract$/, /^\.\//],
    compilerOptions: {
      paths: {
        '@broadsheet/contract/failures': ['../contract/src/failures.ts'],
        '@broadsheet/contract/kinds': ['../contract/src/rules/kinds.ts'],
        '@broadsheet/contract/schemas': ['../contract/src/schemas/index.ts'],
      },
    },
  },
  noExternal: [/^@broadsheet\//],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source'];
  },
};

// Each entry is built alone: a chunk they shared would bring the schemas, and zod, into the client.
const client = { index: 'src/index.ts' };
const schemas = { schemas: 'src/schemas.ts' };
const adapters = {
  ky: 'src/ky/index.ts',
  query: 'src/query/index.ts',
  otel: 'src/otel/index.ts',
  webhooks: 'src/webhooks/index.ts',
};

export default defineConfig([
  // In chunks: what only a failure needs is loaded by the failure.
  { ...base, entry: client, format: 'esm', splitting: true },
  { ...base, entry: schemas, format: 'esm', splitting: false },
  {
    ...base,
    entry: adapters,
    external: ['@broadsheet/sdk'],
    noExternal: [/^@broadsheet\/contract/],
    format: 'esm',
    splitting: false,
  },
  { ...base, entry: client, format: 'cjs', splitting: false },
  { ...base, entry: schemas, format: 'cjs', splitting: false },
  {
    ...base,
    entry: adapters,
    external: ['@broadsheet/sdk'],
    noExternal: [/^@broadsheet\/contract/],
    format: 'cjs',
    splitting: false,
  },
]);
