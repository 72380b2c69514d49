import { cp, mkdir, writeFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import { ASSET_NAMES, makeAsset } from '../http/src/assets/assets.ts';
import { findGuides } from '../http/src/docs/guides.ts';

const source = '@broadsheet/source';

const base: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  // Commands stay apart, so that each loads what it needs and no more.
  splitting: true,
  sourcemap: true,
  // node:sqlite has no name without its prefix.
  removeNodeProtocol: false,
  noExternal: [/^@broadsheet\//],
  external: ['esbuild'],
  esbuildOptions(options) {
    options.conditions = [source];
  },
};

export default defineConfig([
  { ...base, entry: ['src/main.ts', 'src/index.ts'], clean: true, onSuccess: writeOthers },
  { ...base, entry: ['src/index.ts'], dts: { only: true, resolve: [/^@broadsheet\//, /^\.\//] } },
]);

/** What lies beside the code: files for browsers, the guides, the examples of an operator. */
async function writeOthers(): Promise<void> {
  const folder = new URL('./dist/assets/', import.meta.url);
  await mkdir(folder, { recursive: true });
  for (const name of ASSET_NAMES) {
    await writeFile(
      new URL(name, folder),
      await makeAsset(name, new URL('../http/src/assets/assets.ts', import.meta.url)),
    );
  }
  const root = new URL('../../', import.meta.url);
  for (const path of await findGuides(root))
    await cp(new URL(path, root), new URL(`./dist/guides/${path}`, import.meta.url), { recursive: true });
  await cp(new URL('deploy/', root), new URL('./dist/deploy/', import.meta.url), { recursive: true });
}
