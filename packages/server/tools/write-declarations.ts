/**
 * Bundles the declarations that `tsc -b` emitted into the declarations of the package. Generating them from the sources
 * again would take most of a build.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const packages = new URL('../../', import.meta.url);
const emitted = new URL('../../../node_modules/.cache/tsc/', import.meta.url);

const withEnding = (path: string): string => path.replace(/\.tsx?$/, '.d.ts');

/** Resolves imports of sources and of private packages to their emitted declarations. */
const emittedDeclarations: Plugin = {
  name: 'emitted-declarations',
  async resolveId(source, importer) {
    const [, name = '', path = ''] = /^@broadsheet\/([^/]+)(.*)$/.exec(source) ?? [];
    if (name !== '') {
      const { exports } = JSON.parse(await readFile(new URL(`${name}/package.json`, packages), 'utf8'));
      const target: string = exports[`.${path}`]['@broadsheet/source'] ?? exports[`.${path}`];
      const folder = target.startsWith('./tools/') ? `${name}-tools` : name;
      return fileURLToPath(new URL(`${folder}/${withEnding(target.replace(/^\.\/\w+\//, ''))}`, emitted));
    }
    if (!importer || !source.startsWith('.')) return null;
    return fileURLToPath(new URL(withEnding(source), pathToFileURL(importer)));
  },
};

/** Whether an import is a library, which is installed with the package. */
const isLibrary = (id: string): boolean => !/^[./]|^@broadsheet\//.test(id);

for (const entry of ['index', 'workers']) {
  const input = fileURLToPath(new URL(`server/${entry}.d.ts`, emitted));
  if (!existsSync(input)) throw new Error('There are no declarations: run "tsc -b" first.');
  const bundle = await rollup({ input, plugins: [emittedDeclarations, dts()], external: isLibrary });
  await bundle.write({ file: fileURLToPath(new URL(`../dist/${entry}.d.ts`, import.meta.url)) });
}
