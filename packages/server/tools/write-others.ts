/** Writes the files next to the built code: files for browsers, documentation, licenses, and `deploy`. */
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { DEMO_FILES } from '@broadsheet/demo';
import { writeAssets } from '@broadsheet/http';
import { PANEL_FILES } from '@broadsheet/panel';

const root = new URL('../../../', import.meta.url);
const dist = new URL('../dist/', import.meta.url);

await writeAssets(new URL('assets/', dist), [...DEMO_FILES, ...PANEL_FILES]);
for (const part of ['art', 'posts', 'sponsors.yaml'])
  await cp(new URL(`packages/demo/src/${part}`, root), new URL(`demo/${part}`, dist), { recursive: true });
const site = new URL('site/', root);
// Without a built site, the server shows the guides as plain pages.
for await (const path of glob('{*,guides/*}.{md,png,txt}', { cwd: new URL('docs/', root) }))
  await cp(new URL(`docs/${path}`, root), new URL(`docs/${path}`, dist));
if (!existsSync(new URL('index.html', site)))
  console.log('The site is not built ("pnpm run docs"): the guides are plain pages.');
const written: Promise<void>[] = [];
for await (const path of glob('**/*.*', { cwd: site })) written.push(writeSiteFile(path));
await Promise.all(written);
await writeFile(new URL('LICENSES.txt', dist), await licensesOfBundled());
// Excludes what was installed or stored there by a run.
const own = (path: string) => !/\/(?:node_modules|\.wrangler|\.dev\.vars)(?:\/|$)/.test(path);
await cp(new URL('deploy/', root), new URL('deploy/', dist), { recursive: true, filter: own });
// Anyone who copies the folder installs the server from a file; its workspace name has no meaning there.
const manifest = new URL('deploy/workers/package.json', dist);
const { dependencies: _, ...others } = JSON.parse(await readFile(manifest, 'utf8'));
await writeFile(manifest, JSON.stringify(others, undefined, 2));

/** Writes a file of the built site, compressed if it is text. */
async function writeSiteFile(path: string): Promise<void> {
  const bytes = await readFile(new URL(path, site));
  const target = new URL(`site/${path}`, dist);
  await mkdir(new URL('./', target), { recursive: true });
  // Only brotli for texts, which every browser accepts and which keeps the package small.
  if (/\.(png|svg)$/.test(path)) await writeFile(target, bytes);
  else await writeFile(new URL(`${target}.br`), await promisify(brotliCompress)(bytes));
}

/** The licenses of the libraries in the built code, which require their inclusion. */
async function licensesOfBundled(): Promise<string> {
  const folders = new Set<string>();
  for await (const map of glob('*.js.map', { cwd: dist })) {
    const { sources } = JSON.parse(await readFile(new URL(map, dist), 'utf8')) as { readonly sources: string[] };
    for (const source of sources) {
      const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(source)?.[0];
      if (folder) folders.add(new URL(folder, dist).href);
    }
  }
  const texts: string[] = [];
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
    for await (const file of glob('LICENSE*', { cwd: new URL(folder) }))
      texts.push(`${name} ${version}\n\n${await readFile(new URL(file, folder), 'utf8')}`);
  }
  return texts.join('\n\n');
}
