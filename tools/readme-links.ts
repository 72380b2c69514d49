// prepack and postpack of the published packages: the README in the package links by absolute URLs, because the pages
// of npm show it outside of the repository. The file in the repository is restored after packing.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLACEHOLDER } from './check-release.ts';

interface Manifest {
  readonly repository?: { readonly url: string; readonly directory?: string };
}

/** A README whose relative links are absolute URLs below the repository of the manifest; without one, as it was. */
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
  // In a folder that is never packed.
  const kept = 'node_modules/README.kept.md';
  // What an interrupted packing left behind is the file of the repository.
  if (existsSync(kept)) renameSync(kept, 'README.md');
  if (process.argv[2] === 'absolute') {
    const readme = readFileSync('README.md', 'utf8');
    writeFileSync(kept, readme);
    writeFileSync('README.md', withAbsoluteLinks(readme, JSON.parse(readFileSync('package.json', 'utf8'))));
  }
}
