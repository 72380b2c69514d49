import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

const STYLE =
  ':root{color-scheme:light dark}body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}' +
  'pre{overflow:auto;padding:1rem;background:color-mix(in srgb,currentColor 8%,transparent)}table{border-collapse:collapse}' +
  'td,th{padding:.3rem .6rem;border:1px solid;text-align:left;vertical-align:top}img{max-width:100%}main{overflow-wrap:break-word}';
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A small page without scripts. `body` is markup, `title` is text. */
export function plainPage(title: string, body: string, init: { status?: number; headers?: Headers } = {}): Response {
  const { status = 200, headers = new Headers() } = init;
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-security-policy', POLICY);
  headers.set('x-content-type-options', 'nosniff');
  headers.delete('content-length');
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Broadsheet</title><style>${STYLE}</style>`;
  return new Response(
    `<!doctype html>\n<html lang="en"><head>${head}</head><body><main>${body}</main></body></html>\n`,
    {
      status,
      headers,
    },
  );
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The Markdown files of the documentation: in the repository, or copied next to the server by its build. */
const SOURCE = new URL(import.meta.url.endsWith('.ts') ? '../../../../docs/' : './docs/', import.meta.url);

/**
 * Renders a page of the documentation from its Markdown file, for servers without a built site: `guides/node`, or
 * `guides/node.md`, as other files link to it.
 */
export async function markdownPage(path: string, source: URL = SOURCE): Promise<Response | undefined> {
  if (!/^(?:[\w-]+\/)?[\w-]*(?:\.md|\.png)?$/.test(path)) return undefined;
  const read = (name: string) => readFile(new URL(name, source)).catch(() => undefined);
  if (path.endsWith('.png')) {
    const image = await read(path);
    return image && new Response(image, { headers: { 'content-type': 'image/png' } });
  }
  const name = path === '' ? 'README' : path.replace(/\.md$/, '');
  const text = (await read(`${name}.md`))?.toString();
  if (text === undefined) return undefined;
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const note =
    '<p><small>These are the guides as plain pages. <code>pnpm run docs</code> builds the whole documentation, with search and the reference.</small></p>';
  return plainPage(title, note + (await toHtml(text, path.includes('/'))));
}

/** The index of the documentation for assistants, with absolute links to the plain pages. */
export async function markdownIndex(publicUrl: string, source: URL = SOURCE): Promise<string | undefined> {
  const text = await readFile(new URL('llms.txt', source), 'utf8').catch(() => undefined);
  return text
    ?.replace(/\[([^[\]]+)\]\(\.\.\/[^()]+\)/g, '$1')
    .replace(/\]\(\/(?=[\w])/g, `](${publicUrl}/`)
    .replace(/\]\((?!https?:)/g, `](${publicUrl}/docs/`);
}

/** Links to files outside the documentation become text, because the server does not have these files. */
async function toHtml(markdown: string, isInFolder: boolean): Promise<string> {
  const outside = isInFolder ? /^(?:\.\.\/){2}/ : /^\.\.\//;
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return outside.test(href) ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
      },
      heading({ tokens, depth, text }) {
        const id = text
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-');
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return await marked.parse(markdown.replace(/^---\n[\s\S]*?\n---\n/, ''));
}
