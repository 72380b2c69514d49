import DOMPurify from 'dompurify';
import { marked } from 'marked';

/**
 * The body of a post as safe elements. Bodies are Markdown, HTML, or one inside the other; whatever they are, only
 * harmless markup is left. Styles go too: the policy of the page would refuse them.
 */
export function articleText(content: string): DocumentFragment {
  const html = marked.parse(content, { async: false, gfm: true });
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ['style', 'form'],
    FORBID_ATTR: ['style', 'id', 'name'],
  });
}
