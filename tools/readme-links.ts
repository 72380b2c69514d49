// The prepack and postpack scripts of the published packages. Links in a packed README are absolute URLs, because npm
// shows the README outside the repository. The file in the repository is restored after packing.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLACEHOLDER } from './check-release.ts';

interface Manifest {
  readonly repository?: { readonly url: string; readonly directory?: string };
}

/** Replaces the relative links of a README by absolute URLs, if the manifest names a repository. */
export function withAbsoluteLinks(readme: string, { repository }: Manifest): string {
  const home = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  if (home === undefined || home.includes(PLACEHOLDER)) return readme;
  const folder = repository?.directory ?? '.';
  return readme.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, href: string) => {
    const isImage = /\.(?:png|svg|jpe?g|gif|webp)$/.test(href);
    return `](${home}/${isImage ? 'raw' : 'blob'}/main/${posix.join(folder, href)})`;
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // node_modules is never packed.
  const kept = 'node_modules/README.kept.md';
  // If packing was interrupted, this is the original file.
  if (existsSync(kept)) renameSync(kept, 'README.md');
  if (process.argv[2] === 'absolute') {
    const readme = readFileSync('README.md', 'utf8');
    writeFileSync(kept, readme);
    writeFileSync('README.md', withAbsoluteLinks(readme, JSON.parse(readFileSync('package.json', 'utf8'))));
  }
}
