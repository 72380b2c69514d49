import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Application, Converter, type DocumentReflection, RendererEvent } from 'typedoc';

const root = resolve(import.meta.dirname, '..');
const groups = {
  'docs/guides/': 'Guides',
  'docs/README': 'Guides',
  'examples/': 'Guides',
  'docs/': 'Running it',
  CONTRIBUTING: 'Inside',
  'decisions/': 'Inside',
};

/** Names the documents of the site by their first heading, groups them by folder, and writes what assistants read. */
export function load(app: Application): void {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_: unknown, document: DocumentReflection) => {
    const first = document.content[0];
    const [heading, title] = /^\s*# (.+)\n/.exec(first?.text ?? '') ?? [];
    if (!first || !heading || !title) throw new Error(`${document.name} does not open with "# Title"`);
    document.name = title.replaceAll('`', '');
    first.text = first.text.slice(heading.length);
    const path = relative(root, document.project.files.getReflectionPath(document) ?? '');
    const group = Object.entries(groups).find(([start]) => path.startsWith(start))?.[1];
    if (group) document.frontmatter['group'] = group;
  });
  app.renderer.on(RendererEvent.END, ({ outputDirectory }: RendererEvent) => writeForAssistants(outputDirectory));
}

/** `llms.txt` with the Markdown it links to beside it, and `llms-full.txt`, which holds all of it. */
function writeForAssistants(site: string): void {
  const pages = new Set<string>();
  const index = readFileSync(join(root, 'docs/llms.txt'), 'utf8').replaceAll(
    /\]\(([^):]+\.md)\)/g,
    (_, link: string) => {
      const path = relative(root, resolve(root, 'docs', link));
      pages.add(path);
      return `](markdown/${path})`;
    },
  );
  for (const path of pages) {
    const copy = join(site, 'markdown', path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, path), copy);
  }
  writeFileSync(join(site, 'llms.txt'), index);
  const texts = [...pages].map((path) => readFileSync(join(root, path), 'utf8').trim());
  writeFileSync(join(site, 'llms-full.txt'), `${[index.trim(), ...texts].join('\n\n---\n\n')}\n`);
}
