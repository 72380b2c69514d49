import { Marked } from 'marked';
import { type Html, html } from './html.ts';

/**
 * Markdown as markup for a page. Nothing is taken over as it is written: raw HTML is shown as text, a picture as its
 * description.
 *
 * @param resolve where a link leads; one that leads nowhere becomes its text
 */
export function renderMarkdown(markdown: string, resolve: (href: string) => string | undefined): Html {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolve(href);
        return target === undefined ? text : html`<a href="${target}">${{ markup: text }}</a>`.markup;
      },
      image: ({ text }) => html`${text}`.markup,
      html: ({ text }) => html`${text}`.markup,
    },
  });
  return { markup: marked.parse(markdown, { async: false }) };
}

/** The name of a heading, as it is formed where the repository is read. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
