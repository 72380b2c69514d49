import { readFileSync } from 'node:fs';

/** The budgets of the bench hold here too: what CI refuses and what the README says are one number. */
const budgets = JSON.parse(readFileSync(new URL('bench/budgets.json', import.meta.url), 'utf8'));
const limit = (id) => `${budgets.find((row) => row.id === id).budget * 1024} B`;

export default [
  {
    name: 'sdk: createClient and all that it may ever load, failures included, min+gzip',
    path: 'packages/sdk/dist/index.js',
    import: '{ createClient }',
    gzip: true,
    // The budget of the bench is for what a program loads before its first call: packages/sdk/test/size.test.ts.
    // This one holds what only a failure or an option needs as well, so that it does not grow unseen.
    limit: `${16 * 1024} B`,
  },
  {
    name: 'widget: script and style, brotli',
    path: ['packages/ad-widget/dist/broadsheet.js', 'packages/ad-widget/dist/broadsheet.css'],
    disablePlugins: ['@size-limit/esbuild'],
    limit: limit('widget.size'),
  },
];
