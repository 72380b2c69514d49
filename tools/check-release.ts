import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The URL in the manifests until the repository has a public one. */
export const PLACEHOLDER = 'REPOSITORY.example/OWNER/broadsheet';
/** The packages that are published. */
export const PUBLISHED = ['sdk', 'ad-widget', 'mock-server', 'server'];

/** The reasons why a package cannot be published yet. */
export function releaseProblems(manifest: Readonly<Record<string, unknown>>): string[] {
  const name = String(manifest['name']);
  return ['homepage', 'bugs', 'repository'].flatMap((field) => {
    const value = JSON.stringify(manifest[field]);
    if (value === undefined) return [`${name}: "${field}" is missing; npm needs it to prove where a package was built`];
    if (!value.includes(PLACEHOLDER)) return [];
    return [`${name}: "${field}" is ${value}; write the repository's own address in place of ${PLACEHOLDER}`];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = join(import.meta.dirname, '../packages');
  const problems = PUBLISHED.flatMap((name) =>
    releaseProblems(JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
