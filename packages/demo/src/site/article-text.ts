import { fromHtml } from 'hast-util-from-html';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { html, raw } from 'hono/html';
import { marked } from 'marked';
import { adSlot } from './story.ts';

/** The paragraph after which the ad within the text stands. */
const AD_AFTER = 3;

/** What GitHub allows in a comment, and what magazines use besides. */
const ALLOWED: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), 'figure', 'figcaption', 'cite', 'mark', 'small', 'time'],
  strip: ['script', 'style'],
};

/**
 * The body of a post with an ad in it, and how long it takes to read. A body is Markdown, HTML, or one inside the
 * other; only harmless markup is left of it.
 */
export function articleText(content: string) {
  const tree = sanitize(fromHtml(marked.parse(content, { async: false, gfm: true }), { fragment: true }), ALLOWED);
  const nodes = 'children' in tree ? tree.children : [];
  const paragraphs = nodes.flatMap((node, index) => (node.type === 'element' && node.tagName === 'p' ? [index] : []));
  const cut = (paragraphs[AD_AFTER - 1] ?? nodes.length) + 1;
  const [before, after] = [nodes.slice(0, cut), nodes.slice(cut)].map((part) =>
    toHtml({ type: 'root', children: part }),
  );
  const words = `${before} ${after}`.replace(/<[^>]+>/g, ' ').split(/\s+/).length;
  return {
    body: html`${raw(before)}${adSlot('in-text', 'INLINE')}${raw(after)}`,
    readingTime: `${Math.max(1, Math.round(words / 220))} min read`,
  };
}
