import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { errorPages } from './error-pages.ts';
import { PAGES, type Page, root } from './pages.ts';
import { SURROUNDINGS } from './surroundings.ts';

/** The folder of the composed pages, from which VitePress reads them. */
export const COMPOSED: string = join(root, 'docs/.pages');

/** Composes the pages from guides, READMEs and decisions, and a page for every error. */
export function compose(): void {
  rmSync(COMPOSED, { recursive: true, force: true });
  for (const page of PAGES)
    put(page.address, compiled(withSiteLinks(page, readFileSync(join(root, page.source), 'utf8'))));
  for (const [address, text] of errorPages()) put(address, compiled(text));
  put('', readFileSync(join(root, 'docs/site/home.md'), 'utf8'));
  put('playground', '---\naside: false\n---\n\n# Playground\n\n<Playground />\n');
  mkdirSync(join(COMPOSED, 'public'), { recursive: true });
  for (const image of globSync('*.png', { cwd: join(root, 'docs') }))
    copyFileSync(join(root, 'docs', image), join(COMPOSED, 'public', image));
}

function put(address: string, text: string): void {
  const path = join(COMPOSED, address === '' || address.endsWith('/') ? `${address}index.md` : `${address}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Marks TypeScript that must be compiled, and adds hidden declarations for the names that the surrounding text
 * introduces.
 */
function compiled(text: string): string {
  return text.replaceAll(/^```(tsx?)\n(.*?)^```$/gms, (_, language: string, code: string) => {
    const needs = /\b(?:mock|world|renderHome|user)\b[.(]/.test(code);
    return `\`\`\`${language} twoslash\n${needs ? `${SURROUNDINGS}// ---cut---\n` : ''}${code}\`\`\``;
  });
}

/** Turns links between files of the repository into links between pages; a link to any other file becomes its text. */
function withSiteLinks({ source }: Page, text: string): string {
  return outsideCode(text, (part) =>
    part.replaceAll(
      /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, image: string, words: string, href: string) => {
        if (/^([a-z]+:|#)/.test(href)) return whole;
        const [file = '', fragment] = href.split('#');
        const path = posix.join(posix.dirname(source), file);
        if (image) return `![${words}](/${posix.basename(path)})`;
        const target = PAGES.find((page) => page.source === path);
        return target ? `[${words}](/${target.address}${fragment ? `#${fragment}` : ''})` : words;
      },
    ),
  );
}

/** Changes a text except for its code, which is temporarily replaced by a number. */
function outsideCode(text: string, change: (part: string) => string): string {
  const code: string[] = [];
  const without = text.replaceAll(/^```.*?^```$|`[^`\n]*`/gms, (block) => `\0${code.push(block) - 1}\0`);
  return change(without).replaceAll(/\0(\d+)\0/g, (_, index: string) => code[Number(index)] ?? '');
}
