/** Writes what lies beside the built code: files for browsers, the documentation, the examples of an operator. */
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { ASSET_NAMES, compress, ENCODINGS, makeAsset } from '../../http/src/assets/assets.ts';

const root = new URL('../../../', import.meta.url);
const dist = new URL('../dist/', import.meta.url);

const folder = new URL('assets/', dist);
await mkdir(folder, { recursive: true });
for (const name of ASSET_NAMES) {
  const body = await makeAsset(name);
  const { br, gzip } = await compress(body);
  await writeFile(new URL(name, folder), body);
  await writeFile(new URL(name + ENCODINGS.br, folder), br);
  await writeFile(new URL(name + ENCODINGS.gzip, folder), gzip);
}
const site = new URL('site/', root);
if (!existsSync(new URL('index.html', site)))
  throw new Error('The documentation is not built: run "pnpm run docs" first.');
for await (const path of glob('**/*.*', { cwd: site })) {
  const bytes = await readFile(new URL(path, site));
  const target = new URL(`site/${path}`, dist);
  await mkdir(new URL('./', target), { recursive: true });
  // Texts as brotli alone, which every browser takes: the whole site is as small as its pictures.
  if (/\.(png|svg)$/.test(path)) await writeFile(target, bytes);
  else await writeFile(new URL(`${target}.br`), (await compress(bytes)).br);
}
await cp(new URL('deploy/', root), new URL('deploy/', dist), { recursive: true });
