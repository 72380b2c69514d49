import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { COMPOSED } from '../site/compose.ts';
import { diagrams } from '../site/diagrams.ts';
import { typesOnHover } from '../site/hover.ts';
import { withoutHighlighting } from '../site/index-text.ts';
import { PAGES, root, SECTIONS } from '../site/pages.ts';
import { slugify } from '../site/sections.ts';
import { emptyHeaders } from '../site/tables.ts';

/** The first heading of a page for the side bar, without the words that many headings share. */
function titleOf(source: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8'))?.[1]?.replaceAll('`', '') ?? source;
  return heading.replace(/^Broadsheet with /, '').replace(/^Broadsheet in plain/, 'Plain');
}

const sidebar = SECTIONS.map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => {
    if (typeof page !== 'string') {
      const outside = page.address === 'reference';
      return { text: page.title, link: `/${page.address}`, ...(outside && { target: '_self' }) };
    }
    const found = PAGES.find(({ source }) => source === page);
    if (!found) throw new Error(`docs/site/pages.ts: there is no page ${page}`);
    return { text: titleOf(page), link: `/${found.address}` };
  }),
}));

const names = join(COMPOSED, 'names/typedoc-sidebar.json');

export default defineConfig({
  title: 'Broadsheet',
  description: 'A blog’s public content and its ads: a typed SDK, an ad widget, a mock and a server over one contract.',
  lang: 'en',
  base: '/docs/',
  srcDir: '.pages',
  outDir: '../site',
  cleanUrls: true,
  lastUpdated: false,
  // The reference is not a page of VitePress; it is copied beside its pages.
  ignoreDeadLinks: [/^\/docs\/reference/],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Anchors in the format of code hosts, so that a link works in both places.
    anchor: { slugify },
    codeTransformers: [typesOnHover()],
    config: (markdown) => void markdown.use(diagrams).use(emptyHeaders),
  },
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    // The playground runs the widget from its sources.
    resolve: { conditions: ['@broadsheet/source'] },
  },
  vue: { template: { compilerOptions: { isCustomElement: (name) => name === 'broadsheet-slot' } } },
  themeConfig: {
    nav: [
      { text: 'Five minutes', link: '/guides/five-minutes' },
      { text: 'API', link: '/reference', target: '_self' },
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: {
      '/names/': existsSync(names) ? JSON.parse(readFileSync(names, 'utf8')) : [],
      '/': sidebar,
    },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { _render: (text, env, markdown) => markdown.render(withoutHighlighting(text), env) },
    },
    notFound: {
      title: 'Page not found',
      quote: 'Search for it, or start from the home page.',
      linkText: 'Home page',
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
