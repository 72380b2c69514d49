import { globSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { PACKAGES } from './mutation/packages.ts';

// pnpm mutate PACKAGE [FILES]: changes the code in small ways, one at a time, and lists the changes that no test
// notices. It takes minutes to hours, so CI runs it at night. STATIC=1 also mutates values that a module computes
// once. AGAIN=1 repeats only the mutants that new or changed tests may notice. After an interrupted run, `git status`
// shows whether a mutant was left behind.

const ALL = '**/*.ts';
const [name = '', files = ALL] = process.argv.slice(2);
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
  // Packages import each other through links: tests of a copy elsewhere would import the original.
  inPlace: true,
  tempDirName: 'node_modules/.cache/stryker',
  coverageAnalysis: 'perTest',
  // Static values of a module are shared by all tests, so each of their mutants would run all tests.
  ignoreStatic: !process.env['STATIC'],
  // A part of a package may be worse than the whole.
  thresholds: { high: 95, low: 90, break: files === ALL ? 90 : null },
  reporters: ['clear-text', 'progress', 'html'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `node_modules/.cache/mutation/${name}.html` },
  concurrency: Number(process.env['CONCURRENCY'] ?? 2),
  incremental: true,
  incrementalFile: `node_modules/.cache/mutation/${name}.json`,
  force: !process.env['AGAIN'],
  // Other files must not change: a test compares the text of a generated file.
  disableTypeChecks: false,
});
await stryker.runMutationTest();
// A runner that times out leaves its setup file behind.
for (const file of globSync('stryker-setup-*.js')) rmSync(file);
