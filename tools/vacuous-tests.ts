import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Part of `pnpm lint`: tests that can pass without having checked anything, and random tests that always draw the same.

const RANDOM = 'random input without a seed of seedsOf() in tools/testing/seeds.ts, so nobody could repeat a failure';
const RULES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^ *for \(const [^\n]* of [^\n]*(?:matchAll|querySelectorAll)\([^\n]*\)\s*(?:\{\s*)?expect\([^\n]*(?!\n[^\n]*\+= 1)$/gm,
    'expects something of each match, and there may be none: compare the list, or count the matches',
  ],
  [
    /^( *)(?:test|it)(?:\.\w+\([^\n]*\))?\([^\n]*=> \{\n(?:\1 {2}[^\n]*\n|\n)*?\1 {2}if \([^\n]*\) return;/gm,
    'ends early: state what must hold before, or use skipIf, which is listed',
  ],
];

/** The faults of a file of tests, one text each. */
export function vacuousIn(path: string, text: string): string[] {
  const found = RULES.flatMap(([pattern, reason]) =>
    [...text.matchAll(pattern)].map(([place]) => `${path}: ${place.trim().split('\n').at(-1)}: ${reason}`),
  );
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/\bfc\.(?:assert|check)\(/g) > count(/\bseedsOf\(/g) ? [...found, `${path}: ${RANDOM}`] : found;
}

/** The files of tests, below the root of the repository, except for the one with examples of the faults. */
export const testFiles = (root: string): string[] =>
  globSync('{packages,tools,bench,docs,examples}/**/*.{test,suite}.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'tools/vacuous-tests.test.ts'],
  });

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const found = testFiles(root).flatMap((path) => vacuousIn(path, readFileSync(join(root, path), 'utf8')));
  for (const place of found) console.error(place);
  if (found.length > 0) process.exitCode = 1;
}
