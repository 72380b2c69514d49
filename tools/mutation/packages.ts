/** The packages that can be mutated, each with the packages whose tests should notice. */
export const PACKAGES: Readonly<
  Record<
    string,
    { readonly tests: readonly string[]; readonly without?: readonly string[]; readonly generated?: readonly string[] }
  >
> = {
  contract: { tests: ['contract', 'core'] },
  core: { tests: ['core'] },
  // Tests of size and of other runtimes test the build, and would create a bundle for every mutant.
  sdk: {
    tests: ['sdk'],
    generated: ['generated/*.ts'],
    without: [
      'packages/sdk/test/{runtimes,size,readme,examples,server-components}*/**',
      'packages/sdk/test/{size,readme,examples,server-components}.test.ts',
    ],
  },
};
