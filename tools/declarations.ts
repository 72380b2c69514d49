import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

// Each package is built in its folder.
const own = pathToFileURL(`${process.cwd()}/`);
const ownFolder = basename(process.cwd());
const packages = new URL('../', own);
const emitted = new URL('../node_modules/.cache/tsc/', packages);

const {
  dependencies = {},
  peerDependencies = {},
  devDependencies = {},
} = JSON.parse(readFileSync(new URL('package.json', own), 'utf8'));
/** Libraries of the build only: a project that installs the package does not have them, so their types are bundled. */
const bundled = Object.keys(devDependencies).filter(
  (name) => !(name in dependencies || name in peerDependencies || name.startsWith('@broadsheet/')),
);

/** The declarations that `tsc -b` has emitted for a source of a package, such as `./src/index.ts`. */
function declarationsOf(folder: string, source: string): string {
  const project = source.startsWith('./tools/') ? `${folder}-tools` : folder;
  return fileURLToPath(new URL(`${project}/${withEnding(source.replace(/^\.\/\w+\//, ''))}`, emitted));
}

const withEnding = (path: string): string => path.replace(/\.tsx?$/, '.d.ts');

/** Resolves imports of sources and of private packages to their emitted declarations. */
const emittedDeclarations: Plugin = {
  name: 'emitted-declarations',
  resolveId(source, importer) {
    // The package has it installed, which the folder of the declarations has not.
    if (bundled.includes(source))
      return this.resolve(source, fileURLToPath(new URL('src/index.ts', own)), { skipSelf: true });
    const [, folder = '', path = ''] = /^@broadsheet\/([^/]+)(.*)$/.exec(source) ?? [];
    if (folder !== '') {
      const { exports } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, packages), 'utf8'));
      return declarationsOf(folder, exports[`.${path}`]['@broadsheet/source'] ?? exports[`.${path}`]);
    }
    if (!importer || !source.startsWith('.')) return null;
    return fileURLToPath(new URL(withEnding(source), pathToFileURL(importer)));
  },
};

/** Whether an import is a library, which is installed with the package, or the main entry of the package itself. */
const isExternal = (id: string): boolean =>
  id === `@broadsheet/${ownFolder}` || (!/^[./]|^@broadsheet\//.test(id) && !bundled.includes(id));

/**
 * Bundles the declarations that `tsc -b` has emitted into those of the package in the working directory. Generating them
 * from the sources again would take most of a build. With `tsup --no-dts`, none are written.
 *
 * @param entries sources by the names of their files in `dist`; declarations that several of them contain are in a
 * shared file
 * @param ending of the files: `.d.cts` for those beside CommonJS
 */
export async function writeDeclarations(
  entries: Readonly<Record<string, string>>,
  ending: '.d.ts' | '.d.cts' = '.d.ts',
): Promise<void> {
  // The bench builds only code, in a clone in which `tsc -b` has not run; tsup does not pass its flags on.
  if (process.argv.includes('--no-dts')) return;
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, source]) => [name, declarationsOf(ownFolder, `./${source}`)]),
  );
  for (const file of Object.values(input)) {
    if (!existsSync(file)) throw new Error(`There are no declarations in ${file}: run "tsc -b" first.`);
  }
  const bundle = await rollup({
    input,
    plugins: [emittedDeclarations, dts({ includeExternal: bundled })],
    external: isExternal,
  });
  await bundle.write({
    dir: fileURLToPath(new URL('dist/', own)),
    entryFileNames: `[name]${ending}`,
    chunkFileNames: `shared-[hash]${ending}`,
  });
}
