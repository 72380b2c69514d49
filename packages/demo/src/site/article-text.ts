import { html, raw } from 'hono/html';
import { marked } from 'marked';
import sanitize from 'sanitize-html';
import { adSlot } from './story.ts';

/** The paragraph after which the ad within the text stands. */
const AD_AFTER = 3;

const ALLOWED: sanitize.IOptions = { allowedTags: [...sanitize.defaults.allowedTags, 'img'] };

/**
 * The body of a post with an ad in it, and how long it takes to read. A body is Markdown, HTML, or one inside the
 * other; only harmless markup is left of it.
 */
export function articleText(content: string) {
  const text = sanitize(marked.parse(content, { async: false, gfm: true }), ALLOWED);
  const cut = endOfParagraph(text, AD_AFTER);
  const words = text.replace(/<[^>]+>/g, ' ').split(/\s+/).length;
  return {
    body: html`${raw(text.slice(0, cut))}${adSlot('in-text', 'INLINE')}${raw(text.slice(cut))}`,
    readingTime: `${Math.max(1, Math.round(words / 220))} min read`,
  };
}

/** Where the given paragraph ends, of those that stand in no other element; the end of the text when it is shorter. */
function endOfParagraph(text: string, number: number): number {
  let depth = 0;
  let paragraphs = 0;
  for (const { 0: tag, index } of text.matchAll(/<[^>]+>/g)) {
    if (tag.endsWith('/>')) continue;
    depth += tag.startsWith('</') ? -1 : 1;
    if (tag === '</p>' && depth === 0 && ++paragraphs === number) return index + tag.length;
  }
  return text.length;
}
