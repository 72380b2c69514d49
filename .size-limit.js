import { readFileSync } from 'node:fs';

/** The bench and CI share one budget for the widget, in bytes. */
const budgets = JSON.parse(readFileSync(new URL('bench/budgets.json', import.meta.url), 'utf8'));
const widget = budgets.find(({ id, unit }) => id === 'widget.size' && unit === 'bytes');

export default [
  {
    name: 'sdk: createClient and all that it may ever load, failures included, min+gzip',
    path: 'packages/sdk/dist/index.js',
    import: '{ createClient }',
    gzip: true,
    // packages/sdk/test/size.test.ts has the budget for what a program loads before its first call. This limit also
    // covers what only a failure or an option loads. The bench row sdk.size-one-file measures the same.
    limit: `${17.9 * 1024} B`,
  },
  {
    name: 'widget: script and style, brotli',
    path: ['packages/ad-widget/dist/broadsheet.js', 'packages/ad-widget/dist/broadsheet.css'],
    disablePlugins: ['@size-limit/esbuild'],
    limit: `${widget.budget} B`,
  },
];
