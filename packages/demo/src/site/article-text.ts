import { fromHtml } from 'hast-util-from-html';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { html, raw } from 'hono/html';
import { marked } from 'marked';
import { adSlot } from './story.ts';

/** The number of the paragraph before the ad in the text. */
const AD_AFTER = 3;

/** The markup that GitHub allows in comments, and elements that magazines also use. */
const ALLOWED: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), 'figure', 'figcaption', 'cite', 'mark', 'small', 'time'],
  strip: ['script', 'style'],
};

/**
 * Renders the body of a post with an ad in it, and estimates its reading time. A body is Markdown, HTML, or a mix of
 * both. Unsafe markup is removed.
 */
export function articleText(content: string) {
  const tree = sanitize(fromHtml(marked.parse(content, { async: false, gfm: true }), { fragment: true }), ALLOWED);
  const nodes = 'children' in tree ? tree.children : [];
  const paragraphs = nodes.flatMap((node, index) => (node.type === 'element' && node.tagName === 'p' ? [index] : []));
  const cut = (paragraphs[AD_AFTER - 1] ?? nodes.length) + 1;
  const [before, after] = [nodes.slice(0, cut), nodes.slice(cut)].map((part) =>
    toHtml({ type: 'root', children: part }),
  );
  const words = `${before} ${after}`.replace(/<[^<>]+>/g, ' ').split(/\s+/).length;
  return {
    body: html`${raw(before)}${adSlot('in-text', 'INLINE')}${raw(after)}`,
    readingTime: `${Math.max(1, Math.round(words / 220))} min read`,
  };
}
