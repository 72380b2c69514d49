/** Writes what lies beside the built code: files for browsers, the guides, the examples of an operator. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { ASSET_NAMES, compress, ENCODINGS, makeAsset } from '../../http/src/assets/assets.ts';
import { findGuides } from '../../http/src/docs/guides.ts';

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
for (const path of await findGuides(root)) {
  await cp(new URL(path, root), new URL(`guides/${path}`, dist), { recursive: true });
}
await cp(new URL('deploy/', root), new URL('deploy/', dist), { recursive: true });
