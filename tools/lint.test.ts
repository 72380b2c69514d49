import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './documents.ts';
import { temporaryFolder } from './testing/folder.ts';

// Tests that the rules of biome.json that protect the architecture reject violations.

const CIRCLES = {
  'values/a.ts': `import { b } from './b.ts';\nexport const a = () => b();\n`,
  'values/b.ts': `import { a } from './a.ts';\nexport const b = (): number => a();\n`,
  'types/a.ts': `import type { B } from './b.ts';\nexport interface A {\n  b?: B;\n}\n`,
  'types/b.ts': `import type { C } from './c.ts';\nexport type B = C;\n`,
  'types/c.ts': `import type { A } from './a.ts';\nexport type C = A;\n`,
  'again/a.ts': `export type { B } from './b.ts';\nexport type A = 1;\n`,
  'again/b.ts': `import type { A } from './a.ts';\nexport type B = A;\n`,
  'hidden/a.ts': `export type A = import('./b.ts').B;\n`,
};

/** The only packages that each package may import. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['contract'],
  conformance: ['contract', 'core'],
  sdk: ['contract'],
  'ad-widget': ['contract'],
  'mock-server': ['contract', 'core', 'conformance', 'content'],
  store: ['contract', 'core'],
  content: ['contract', 'core'],
  management: ['contract', 'core', 'store'],
  http: ['contract', 'core', 'store'],
  panel: ['contract', 'core', 'store', 'management', 'content', 'http', 'sdk', 'ad-widget'],
  demo: ['contract', 'core', 'store', 'management', 'content', 'http', 'sdk', 'ad-widget'],
  // Of http, only the modules that do not read files.
  workers: ['contract', 'core', 'store', 'management'],
};
const PACKAGES = [...Object.keys(ARROWS), 'server'];
const WITHOUT_NODE = ['contract', 'core', 'conformance', 'sdk', 'ad-widget', 'store', 'management', 'workers'];

/** The files that Biome rejects, each with the rule that it breaks. */
async function refused(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
  const rules = { ...config, $schema: undefined, vcs: undefined };
  const plugin = 'tools/no-import-type.grit';
  await folder.write({
    ...files,
    'biome.json': JSON.stringify(rules),
    [plugin]: await readFile(join(root, plugin), 'utf8'),
  });
  const biome = promisify(execFile)(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--reporter=json', '--max-diagnostics=none', '.'],
    { cwd: folder.path, maxBuffer: 1 << 24 },
  );
  const { stdout } = await biome.catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: unknown } }[] };
  return diagnostics.map(({ category, location }) => `${pathOf(location.path)} ${category}`).sort();
}

function pathOf(path: unknown): string {
  return typeof path === 'string' ? path : (path as { file: string }).file;
}

test('every import cycle is rejected, including cycles of types', async () => {
  const files = Object.entries(CIRCLES).map(([name, text]) => [`packages/core/src/${name}`, text] as const);
  expect(await refused(Object.fromEntries(files))).toEqual(
    files.map(([path]) => `${path} ${path.includes('hidden') ? 'plugin' : 'lint/suspicious/noImportCycles'}`).sort(),
  );
});

test('no package imports a package it must not, and some import nothing from Node', async () => {
  const imports = Object.entries(ARROWS).flatMap(([name, allowed]) => [
    ...PACKAGES.filter((other) => other !== name).map((other) => ({
      path: `packages/${name}/src/${other}.ts`,
      from: `@broadsheet/${other}`,
      refused: !allowed.includes(other),
    })),
    { path: `packages/${name}/src/node.ts`, from: 'node:fs', refused: WITHOUT_NODE.includes(name) },
  ]);
  const files = imports.map(({ path, from }) => [path, `export { some } from '${from}';\n`]);
  expect(await refused(Object.fromEntries(files))).toEqual(
    imports
      .filter((one) => one.refused)
      .map(({ path }) => `${path} lint/style/noRestrictedImports`)
      .sort(),
  );
});

test('only the store has SQL: commands import no statements, no tables and no connection', async () => {
  const parts = ['Db', 'Database', 'Tables', 'insert', 'createDb'];
  const files = Object.fromEntries([
    ...parts.map((name) => [`packages/management/src/${name}.ts`, `export { ${name} } from '@broadsheet/store';\n`]),
    ...['sql-template-tag', 'pg'].map((name) => [
      `packages/management/src/${name}.ts`,
      `import sql from '${name}';\nexport const query = sql;\n`,
    ]),
    ['packages/management/src/store.ts', "export type { SqlStore } from '@broadsheet/store';\n"],
  ]);
  const rejected = [...parts, 'sql-template-tag', 'pg'].map(
    (name) => `packages/management/src/${name}.ts lint/style/noRestrictedImports`,
  );
  expect(await refused(files)).toEqual(rejected.sort());
});

test('no public page imports what managers see', async () => {
  const allowed = ['readSponsorReport', 'SponsorReport', 'Total'];
  const managers = ['CampaignReport', 'readCampaign', 'CampaignFigures', 'adName', 'SqlStore'];
  const files = [...allowed, ...managers].map((name) => {
    const path = `packages/panel/src/reports/${name}.ts`;
    return [path, `export { ${name} } from '@broadsheet/management';\n`] as const;
  });
  const ad = ['packages/panel/src/reports/ad.ts', `export type { SnapshotAd } from '@broadsheet/contract';\n`] as const;
  const rejected = [...files.slice(allowed.length), ad].map(([path]) => `${path} lint/style/noRestrictedImports`);
  expect(await refused(Object.fromEntries([...files, ad]))).toEqual(rejected.sort());
});
