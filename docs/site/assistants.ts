import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { COMPOSED } from './compose.ts';
import { PAGES, root } from './pages.ts';

/** Writes `llms.txt`, the Markdown files it links to, and `llms-full.txt` with all of them. */
export function writeForAssistants(site: string): void {
  const texts = new Map<string, string>();
  const index = readFileSync(join(root, 'docs/llms.txt'), 'utf8').replaceAll(
    /\]\(([^):]+\.md)\)/g,
    (_, link: string) => {
      const source = posix.join('docs', link);
      const page = PAGES.find((one) => one.source === source);
      if (!page) throw new Error(`docs/llms.txt: ${link} is not a page`);
      texts.set(page.address, readFileSync(join(COMPOSED, `${page.address}.md`), 'utf8'));
      return `](/docs/markdown/${page.address}.md)`;
    },
  );
  for (const [address, text] of texts) {
    const copy = join(site, 'markdown', `${address}.md`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
  }
  writeFileSync(join(site, 'llms.txt'), index);
  writeFileSync(
    join(site, 'llms-full.txt'),
    `${[index, ...texts.values()].map((text) => text.trim()).join('\n\n---\n\n')}\n`,
  );
}
