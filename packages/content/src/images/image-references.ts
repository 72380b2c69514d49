import type { SyntaxNode } from '@lezer/common';
import { type MarkdownConfig, parser } from '@lezer/markdown';
import { Tokenizer } from 'htmlparser2';
import { LIMITS } from '../limits.ts';
import { decodeEntities } from '../text/decode-entities.ts';

/** A reference to an image in a text. */
export interface ImageReference {
  /** Where the URL is in the text, with its quotes or angle brackets in Markdown. */
  readonly from: number;
  readonly to: number;
  /** The URL, without the escapes of its language. */
  readonly url: string;
  /**
   * A link refers to an image only if its URL has the extension of one; a cover may be relative to the root of the
   * site.
   */
  readonly kind: 'image' | 'link' | 'cover';
}

/** The references of a text, and the offsets of paragraphs in which they cannot be found. */
export interface FoundReferences {
  readonly references: readonly ImageReference[];
  readonly unreadable: readonly number[];
}

/** The elements and attributes that refer to images. */
const ATTRIBUTES = ['img src', 'img srcset', 'source srcset', 'video poster', 'a href'];

/**
 * Text for which the parser needs quadratic time, such as thousands of opening brackets, becomes a node with this name.
 */
const UNREADABLE = 'Unreadable';

const bounds: MarkdownConfig = {
  defineNodes: [UNREADABLE],
  // Emphasis does not matter here, and takes the parser the longest.
  remove: ['Emphasis'],
  parseInline: [
    {
      name: UNREADABLE,
      before: 'Escape',
      parse(cx, _next, pos) {
        if (pos !== cx.offset) return -1;
        const marks = cx.text.split(/[\]<&]/).length;
        return marks * cx.text.length > LIMITS.paragraphWork ? cx.addElement(cx.elt(UNREADABLE, pos, cx.end)) : -1;
      },
    },
  ],
  parseBlock: [
    {
      name: UNREADABLE,
      before: 'Blockquote',
      parse(cx, line) {
        if (cx.depth <= LIMITS.markdownDepth) return false;
        cx.addElement(cx.elt(UNREADABLE, cx.lineStart + line.pos, cx.lineStart + line.text.length));
        cx.nextLine();
        return true;
      },
      // An unfinished definition would be parsed again with every line.
      endLeaf: (_cx, _line, { content }) => content.startsWith('[') && content.length > LIMITS.definitionLength,
    },
  ],
};

const parsers = {
  md: parser.configure(bounds),
  // MDX has no indented code.
  mdx: parser.configure([bounds, { remove: ['IndentedCode'] }]),
};

/** Finds the images to which a Markdown text refers, outside code. */
export function imagesInMarkdown(text: string, dialect: keyof typeof parsers): FoundReferences {
  const references: ImageReference[] = [];
  const unreadable: number[] = [];
  const definitions = new Map<string, ImageReference>();
  const imageLabels = new Set<string>();
  parsers[dialect].parse(text).iterate({
    enter({ name, from, node }) {
      if (name === UNREADABLE) unreadable.push(from);
      if (name === 'HTMLBlock' || name === 'HTMLTag') references.push(...imagesInHtml(htmlOf(node, text), from));
      if (name !== 'Image' && name !== 'Link' && name !== 'LinkReference') return;
      const label = node.getChild('LinkLabel');
      const [start, end] =
        label && label.to - label.from > 2 ? [label.from, label.to] : [from, node.getChildren('LinkMark')[1]?.to];
      const key = labelKey(text.slice(start, end));
      const destination = node.getChild('URL');
      if (!destination) {
        if (name === 'Image') imageLabels.add(key);
        return;
      }
      const written = text.slice(destination.from, destination.to).replace(/^<(.*)>$/s, '$1');
      const url = decodeEntities(written.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
      const reference = {
        from: destination.from,
        to: destination.to,
        url,
        kind: name === 'Image' ? 'image' : 'link',
      } as const;
      if (name !== 'LinkReference') references.push(reference);
      // As in Markdown, the first of several definitions counts.
      else if (!definitions.has(key)) definitions.set(key, reference);
    },
  });
  for (const [key, reference] of definitions) {
    references.push({ ...reference, kind: imageLabels.has(key) ? 'image' : 'link' });
  }
  return { references: references.sort((a, b) => a.from - b.from), unreadable };
}

/** Labels are compared without case, and with runs of white space as one space. */
const labelKey = (label: string): string =>
  label
    .replace(/^!?\[|\]$/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** The HTML of a node. If it is in a quotation, the marks of the quotation are replaced by spaces. */
function htmlOf(node: SyntaxNode, text: string): string {
  let [html, done] = ['', node.from];
  for (const mark of node.getChildren('QuoteMark')) {
    html += text.slice(done, mark.from) + ' '.repeat(mark.to - mark.from);
    done = mark.to;
  }
  return html + text.slice(done, node.to);
}

/** Finds the images to which HTML refers. `offset` is where it begins in the text. */
export function imagesInHtml(html: string, offset = 0): ImageReference[] {
  const references: ImageReference[] = [];
  let [tag, attribute] = ['', ''];
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...IGNORED,
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase();
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
      },
      onattribdata(start, end) {
        if (!ATTRIBUTES.includes(`${tag} ${attribute}`)) return;
        const value = html.slice(start, end);
        // A candidate of a srcset is a URL, which may be followed by its width or density.
        const urls =
          attribute === 'srcset'
            ? value.matchAll(/([^\s,](?:\S*[^\s,])?)(?:\s[^,]*)?/g)
            : value.matchAll(/(\S(?:.*\S)?)/gs);
        for (const found of urls) {
          const [, written = ''] = found;
          const from = offset + start + found.index + found[0].indexOf(written);
          references.push({
            from,
            to: from + written.length,
            url: decodeEntities(written),
            kind: tag === 'a' ? 'link' : 'image',
          });
        }
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return references;
}

const ignore = (): void => {};
const IGNORED = {
  onattribend: ignore,
  onattribentity: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};
