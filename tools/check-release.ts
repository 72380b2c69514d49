import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The address that stands in the manifests until the repository has a place of its own. */
const PLACEHOLDER = 'REPOSITORY.example/OWNER/broadsheet';
/**
 * Where the files of the repository are seen. What a README of a package links to by it leads there from the pages of npm,
 * too, where a relative link leads nowhere.
 */
export const FILES = `https://${PLACEHOLDER}/blob/main/`;
/** The packages that go out. */
export const PUBLISHED = ['sdk', 'ad-widget', 'mock-server', 'server'];

/** What keeps a package from being published, in sentences; empty when nothing does. */
export function releaseProblems(manifest: Readonly<Record<string, unknown>>, readme = ''): string[] {
  const name = String(manifest['name']);
  const links = readme.includes(PLACEHOLDER)
    ? [`${name}: its README links to ${PLACEHOLDER}; write the repository's own address there`]
    : [];
  const fields = ['homepage', 'bugs', 'repository'].flatMap((field) => {
    const value = JSON.stringify(manifest[field]);
    if (value === undefined) return [`${name}: "${field}" is missing; npm needs it to prove where a package was built`];
    if (!value.includes(PLACEHOLDER)) return [];
    return [`${name}: "${field}" is ${value}; write the repository's own address in place of ${PLACEHOLDER}`];
  });
  return [...fields, ...links];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = join(import.meta.dirname, '../packages');
  const problems = PUBLISHED.flatMap((name) =>
    releaseProblems(
      JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')),
      readFileSync(join(packages, name, 'README.md'), 'utf8'),
    ),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
