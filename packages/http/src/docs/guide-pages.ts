import { siteFile } from './built-site.ts';
import { follow, type Guides, loadGuides, slugOf } from './guides.ts';
import { type Html, html } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { page } from './page.ts';

const INDEX = 'docs/README.md';

/** `/docs`: everything there is to read at a server. */
export async function docsIndex(): Promise<Response> {
  const guides = await loadGuides();
  const packages = (await siteFile('index.html'))
    ? html`<li><a href="docs/site/index.html"><strong>Packages</strong></a><br>Every name that the four export</li>\n`
    : html``;
  const list = guides.has(INDEX) ? renderGuide(guides, INDEX, './') : html``;
  const body = html`<h1>Documentation</h1>
<ul class="cards">
<li><a href="docs/reference"><strong>API reference</strong></a><br>Every endpoint with its parameters, answers and failures</li>
${packages}<li><a href="errors"><strong>Errors</strong></a><br>What each code means, and what to do</li>
<li><a href="openapi.json"><strong>OpenAPI 3.1</strong></a><br>The same for programs</li>
<li><a href="llms.txt"><strong>llms.txt</strong></a><br>The guides for a language model</li>
</ul>
<h2>Guides</h2>
<div class="guide">${list}</div>`;
  return page({ title: 'Documentation', root: './', body });
}

/** `/docs/SLUG`: a guide, or with `.md` its text; `undefined` when there is none. */
export async function guidePage(slug: string): Promise<Response | undefined> {
  const guides = await loadGuides();
  const path = [...guides.keys()].find((candidate) => slugOf(candidate) === slug.replace(/\.md$/, ''));
  if (path === undefined || path === INDEX || !path.endsWith('.md')) return undefined;
  if (slug.endsWith('.md')) return plain(guides.get(path) ?? '', 'text/markdown');
  const root = '../'.repeat(slug.split('/').length);
  const title = /^# (.+)$/m.exec(guides.get(path) ?? '')?.[1] ?? slug;
  return page({ title, root, body: html`<div class="guide">${renderGuide(guides, path, root)}</div>` });
}

/** `/llms.txt`: the guides for a language model, each as its text. */
export async function llmsText(publicUrl: string): Promise<Response> {
  const guides = await loadGuides();
  const text = (guides.get('docs/llms.txt') ?? '').replace(/\]\(([^)]+)\)/g, (whole, href: string) => {
    const path = follow('docs/llms.txt', href);
    return guides.has(path) ? `](${publicUrl}/docs/${slugOf(path)}.md)` : whole;
  });
  return plain(text, 'text/plain');
}

function renderGuide(guides: Guides, path: string, root: string): Html {
  // The index has a heading of its own.
  const text = (guides.get(path) ?? '').replace(path === INDEX ? /^# .*\n/ : '', '');
  return renderMarkdown(text, (href) => {
    if (/^(https?:|#)/.test(href)) return href;
    const [file = '', anchor] = href.split('#');
    const target = follow(path, file);
    return guides.has(target) ? `${root}docs/${slugOf(target)}${anchor ? `#${anchor}` : ''}` : undefined;
  });
}

function plain(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    },
  });
}
