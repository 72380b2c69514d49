import { expect, it } from 'vitest';
import { markdownIndex, markdownPage } from './plain-page.ts';

const get = async (path: string) => (await markdownPage(path))?.text();

it('without a built site, the documentation consists of plain pages that link to each other', async () => {
  const seen = new Set<string>();
  const queue = [''];
  for (const path of queue) {
    if (seen.has(path)) continue;
    seen.add(path);
    const html = await get(path);
    expect(html, path).toMatch(/<h1 id="[^"]*">/);
    for (const [, href = ''] of html?.matchAll(/<a href="([^"]+)"/g) ?? []) {
      if (/^(?:https?:|#|mailto:)/.test(href)) continue;
      const { pathname } = new URL(href, `http://x/docs/${path}`);
      expect(pathname, `${path} links to ${href}`).toMatch(/^\/docs\//);
      queue.push(pathname.slice('/docs/'.length));
    }
  }
  expect(seen.size).toBeGreaterThan(15);
});

it.each(['nothing', '../package', 'guides/../README', 'site/build.ts', '.vitepress/config'])(
  'the plain documentation has no page %s',
  async (path) => {
    expect(await get(path)).toBeUndefined();
  },
);

it('plain pages can show images and run no scripts', async () => {
  expect((await markdownPage('panel.png'))?.headers.get('content-type')).toBe('image/png');
  expect((await markdownPage(''))?.headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'sha256-",
  );
});

it('the index for assistants links to plain pages, and to nothing that the server does not have', async () => {
  const index = (await markdownIndex('https://blog.example')) ?? '';
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(20);
  for (const link of links) {
    expect(link).toMatch(/^https:\/\/blog\.example\/(docs\/|openapi\.json)/);
    const [, page] = /\/docs\/([^#]+)/.exec(link) ?? [];
    if (page) expect(await get(page), link).toBeDefined();
  }
});
