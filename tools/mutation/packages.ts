/** What can be mutated: packages with the packages whose tests are to notice. */
export const PACKAGES: Readonly<
  Record<
    string,
    { readonly tests: readonly string[]; readonly without?: readonly string[]; readonly generated?: readonly string[] }
  >
> = {
  contract: { tests: ['contract', 'core'] },
  core: { tests: ['core'] },
  // Sizes and other runtimes are about the build, and would cost a bundle for every mutant.
  sdk: {
    tests: ['sdk'],
    generated: ['generated/*.ts'],
    without: [
      'packages/sdk/test/{runtimes,size,readme,examples,server-components}*/**',
      'packages/sdk/test/{size,readme,examples,server-components}.test.ts',
    ],
  },
};
