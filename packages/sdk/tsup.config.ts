import { defineConfig, type Options } from 'tsup';
import { writeDeclarations } from '../../tools/declarations.ts';

const base: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  noExternal: [/^@broadsheet\//],
  esbuildOptions(options) {
    options.conditions = ['@broadsheet/source'];
  },
};

// Each entry is built separately: a shared chunk would bring the schemas, and zod, into the client.
const client = { index: 'src/index.ts' };
const schemas = { schemas: 'src/schemas.ts' };
const adapters = {
  ky: 'src/ky/index.ts',
  query: 'src/query/index.ts',
  otel: 'src/otel/index.ts',
  webhooks: 'src/webhooks/index.ts',
};

export default defineConfig([
  // In chunks: code that only a failure needs is loaded when a call fails.
  {
    ...base,
    entry: client,
    format: 'esm',
    splitting: true,
    onSuccess: async () => {
      for (const ending of ['.d.ts', '.d.cts'] as const)
        await writeDeclarations({ ...client, ...schemas, ...adapters }, ending);
    },
  },
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
