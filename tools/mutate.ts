import { globSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { PACKAGES } from './mutation/packages.ts';

// pnpm mutate PACKAGE [FILES]: changes the code in small ways, one at a time, and lists the changes that no test
// notices. By hand, not in CI: it takes minutes to an hour; STATIC=1 mutates the tables of a module, too, and AGAIN=1
// takes only what a test that is new or changed since the last run may notice. Whatever ends it, `git status` shows
// whether a mutant was left behind.

const [name = '', files = '**/*.ts'] = process.argv.slice(2);
if (!PACKAGES[name]) {
  console.error(
    `pnpm mutate PACKAGE [FILES]: there is no ${JSON.stringify(name)}; one of ${Object.keys(PACKAGES).join(', ')}`,
  );
  process.exit(2);
}
process.env['MUTATED'] = name;
const { generated = [] } = PACKAGES[name];
const stryker = new Stryker({
  mutate: [
    `packages/${name}/src/${files}`,
    `!packages/${name}/src/**/*.{test,test-d,suite,browser.test}.ts`,
    ...generated.map((file) => `!packages/${name}/src/${file}`),
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  // Packages reach each other through links: a copy elsewhere would test the original.
  inPlace: true,
  tempDirName: 'node_modules/.cache/stryker',
  coverageAnalysis: 'perTest',
  // A value of a module that is made once is the same for all tests, so each of its mutants runs all of them.
  ignoreStatic: !process.env['STATIC'],
  reporters: ['clear-text', 'progress', 'html'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `node_modules/.cache/mutation/${name}.html` },
  concurrency: Number(process.env['CONCURRENCY'] ?? 2),
  incremental: true,
  incrementalFile: `node_modules/.cache/mutation/${name}.json`,
  force: !process.env['AGAIN'],
  // Only what is mutated may change: a test compares the text of a generated file.
  disableTypeChecks: false,
});
await stryker.runMutationTest();
// A runner that is ended for its time leaves its own behind.
for (const file of globSync('stryker-setup-*.js')) rmSync(file);
