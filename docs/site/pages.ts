import { globSync } from 'node:fs';
import { resolve } from 'node:path';

export const root: string = resolve(import.meta.dirname, '../..');

/** A page of the site: its source in the repository, and its path below `/docs/`, without a leading slash. */
export interface Page {
  readonly source: string;
  readonly address: string;
}

/** A section of the side bar. An entry is the source of a page, or a path with a title. */
export interface Section {
  readonly title: string;
  readonly pages: readonly (string | { readonly title: string; readonly address: string })[];
}

/** The side bar, by audience. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'docs/README.md',
      'docs/guides/five-minutes.md',
      'docs/how-it-works.md',
      'docs/comparisons.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'You build the site',
    pages: [
      'packages/sdk/README.md',
      'docs/guides/node.md',
      'docs/guides/nextjs.md',
      'docs/guides/astro.md',
      'docs/guides/react.md',
      'docs/guides/vue.md',
      'docs/guides/svelte.md',
      'docs/guides/express-hono.md',
      'docs/guides/plain-html.md',
      'docs/guides/cloudflare-workers.md',
      'docs/guides/ky.md',
      'docs/guides/tanstack-query.md',
      'docs/guides/opentelemetry.md',
      'docs/guides/feeds.md',
    ],
  },
  {
    title: 'You publish',
    pages: ['docs/guides/embed-ads.md', { title: 'Playground', address: 'playground' }, 'packages/ad-widget/README.md'],
  },
  { title: 'You test', pages: ['docs/guides/testing.md', 'packages/mock-server/README.md'] },
  {
    title: 'You operate',
    pages: [
      'docs/operate.md',
      'docs/reliability.md',
      'docs/threat-model.md',
      'docs/guides/publish-from-ci.md',
      'docs/guides/panel.md',
      'docs/beyond-one-machine.md',
      'packages/server/README.md',
      'docs/decided.md',
    ],
  },
  {
    title: 'Look up',
    pages: [
      { title: 'API reference', address: 'reference' },
      'docs/api.md',
      { title: 'Errors', address: 'errors/' },
      { title: 'Every exported name', address: 'names/' },
      'examples/README.md',
    ],
  },
  {
    title: 'You move here',
    pages: [
      'docs/guides/from-ghost.md',
      'docs/guides/from-jekyll.md',
      'docs/guides/from-hugo.md',
      'docs/guides/from-hexo.md',
      'docs/guides/from-eleventy.md',
      'docs/guides/from-astro.md',
      'docs/guides/from-docusaurus.md',
      'docs/guides/from-zola.md',
      'docs/guides/from-pelican.md',
      'docs/guides/from-obsidian.md',
    ],
  },
  { title: 'Inside', pages: ['CONTRIBUTING.md', 'decisions/README.md'] },
];

/** Every page that is written by hand. */
export const PAGES: readonly Page[] = globSync(
  ['docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'examples/README.md', 'CONTRIBUTING.md', 'decisions/*.md'],
  { cwd: root },
)
  .sort()
  .map((source) => ({ source, address: addressOf(source) }));

/** `guides/node` for `docs/guides/node.md`, `packages/sdk` for `packages/sdk/README.md`, `decisions/` for its index. */
function addressOf(source: string): string {
  if (source === 'docs/README.md') return 'overview';
  return source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/^(packages\/[\w-]+|examples)\/README$/, '$1')
    .replace(/(^|\/)README$/, '$1')
    .toLowerCase();
}
