import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

// Until the packages are published, anybody could publish packages with their names. Commands that users copy must not
// install such packages: with a token in the environment, one of them could change the blog.

const manifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
/** Manifests contain this placeholder until the first release. */
const isPublished = !JSON.stringify(manifest('packages/sdk/package.json')).includes('REPOSITORY.example');

/** Files that users read, copy or run. Tests and changelogs are not among them. */
const files = execFileSync(
  'git',
  ['ls-files', '-z', '*.md', '*.yml', '*.yaml', '*.vue', 'examples', 'deploy', '*Dockerfile', 'packages/*/src/*.ts'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter(
    (path) =>
      path !== '' && existsSync(join(root, path)) && !/CHANGELOG|\.test\.|\.(?:png|gif|webp|avif|jpg)$/.test(path),
  );

/** Commands that get one of our packages from a registry, or one of our programs if it is not installed. */
const INSTALL = /\b(?:npm|pnpm|yarn|bun|deno) (?:i|install|add|exec|dlx|x)\b[^\n`&|;]*/g;
/** After `npx --no NAME`, npx takes the options of the program for its own. */
const RUN = /\b(?:npx|bunx|pnpx) (?!--no -- )(?:-\S* )*(?:-p )?(?:@broadsheet\/|broadsheet\b)[^\n`&|;]*/g;
const CDN = /\b(?:unpkg\.com|jsdelivr\.net|esm\.sh|esm\.run|skypack\.dev)\/[^\s"'`]*@broadsheet\/[^\s"'`]*/g;

function namesIn(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const isNamed = (command: string) =>
    // Code in comments is not run.
    command
      .replace(/ #.*/, '')
      .split(' ')
      .some((word) => /^(?:npm:)?@broadsheet\//.test(word));
  return [
    ...[...joined.matchAll(INSTALL)].map(([command]) => command).filter(isNamed),
    ...[...joined.matchAll(RUN)].map(([command]) => command),
    ...[...joined.matchAll(CDN)].map(([url]) => url),
  ];
}

test.each([
  ['npm install --global @broadsheet/server', 1],
  ['npm i -D marked \\\n  @broadsheet/sdk@latest', 1],
  ['run `npx @broadsheet/server demo`', 1],
  ['npx broadsheet-mock --port 4510', 1],
  ['npx -y -p @broadsheet/server broadsheet demo', 1],
  ['npx --no -- broadsheet-mock --port 4510', 0],
  ['npx --no broadsheet-mock --port 4510', 1],
  ['npx -y pnpm@12 --filter @broadsheet/server build', 0],
  ['npm install ../broadsheet/tarballs/broadsheet-sdk-*.tgz marked', 0],
  ['<script src="https://unpkg.com/@broadsheet/ad-widget">', 1],
  ["import { createClient } from '@broadsheet/sdk';", 0],
])('%j has %i commands that install by name', (text, count) => {
  expect(namesIn(text)).toHaveLength(count);
});

test.skipIf(isPublished)('no document, example or workflow installs our packages by name from a registry', () => {
  const found = files.flatMap((path) =>
    namesIn(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});

test.skipIf(isPublished)('the manifest of an example that is installed alone names the tarball of this version', () => {
  for (const path of files.filter((file) => /^(?:examples|deploy)\/.+\/package\.json$/.test(file))) {
    const { dependencies = {}, devDependencies = {} } = manifest(path);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith('@broadsheet/') || version === 'workspace:*') continue;
      const own = name.slice('@broadsheet/'.length);
      const file = `broadsheet-${own}-${manifest(`packages/${own}/package.json`).version}.tgz`;
      expect(version, `${path}: ${name}`).toBe(`file:../../tarballs/${file}`);
    }
  }
});
