import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const root: string = resolve(import.meta.dirname, '..');

/** A Markdown file of the repository: its path from the root, and its text. */
export interface MarkdownDocument {
  readonly path: string;
  readonly text: string;
}

/** Every Markdown file for readers. */
export const documents: readonly MarkdownDocument[] = globSync('**/*.md', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', 'site', '**/CHANGELOG.md', '**/.cache', '**/fixtures'],
})
  .sort()
  .map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }));

/** The code blocks of a language. */
export function codeBlocks({ text }: MarkdownDocument, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...text.matchAll(block)].map(([, code = '']) => code);
}
