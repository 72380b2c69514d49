import { lexer, type Token } from 'marked';
import { LIMITS } from '../limits.ts';
import { decodeEntities } from '../text/decode-entities.ts';
import { firstSentence } from '../text/first-sentence.ts';

/** Characters that are parsed first: nearly every text begins within them, which avoids parsing a long post. */
const OPENING = 4000;

/** The first sentence of a Markdown text as plain text; headings, code, tables, images and components are skipped. */
export function firstSentenceOf(markdown: string, dialect: 'md' | 'mdx'): string {
  const opening = openingText(markdown.slice(0, OPENING), dialect);
  const isLater = opening === '' && markdown.length > OPENING;
  return firstSentence(isLater ? openingText(markdown.slice(0, LIMITS.openingLength), dialect) : opening);
}

/** The text of the first heading, if the text begins with one. */
export function firstHeadingOf(markdown: string): string | undefined {
  const [first] = opened(markdown.slice(0, OPENING)).filter(({ type }) => type !== 'space' && type !== 'html');
  return (first?.type === 'heading' && textOfInline(first).trim()) || undefined;
}

function opened(markdown: string): readonly Token[] {
  try {
    return lexer(markdown.replace(templateCode, ''));
  } catch (error) {
    // The lexer is recursive: quotations nested too deeply overflow the stack.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const openingText = (markdown: string, dialect: 'md' | 'mdx'): string => firstText(opened(markdown), dialect);

/** Shortcodes and comments of site generators: `{{< … >}}`, `{% … %}`, `{/* … *\/}`. The bound keeps matching fast. */
const templateCode = /\{\{[<%].{0,1000}?[%>]\}\}|\{%.{0,1000}?%\}|\{\/\*.{0,1000}?\*\/\}/gs;
const moduleCode = /^(?:import|export)\s/;

function firstText(tokens: readonly Token[], dialect: 'md' | 'mdx'): string {
  for (const token of tokens) {
    if (dialect === 'mdx' && token.type === 'paragraph' && moduleCode.test(token.raw)) continue;
    const text = textOfBlock(token, dialect).trim();
    if (text !== '') return text;
  }
  return '';
}

function textOfBlock(token: Token, dialect: 'md' | 'mdx'): string {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return textOfInline(token);
    case 'blockquote':
    case 'list_item':
      return firstText(token.tokens ?? [], dialect);
    case 'list':
      return firstText('items' in token && Array.isArray(token['items']) ? token['items'] : [], dialect);
    default:
      return '';
  }
}

function textOfInline(token: Token): string {
  if (token.type === 'html' || token.type === 'image' || token.type === 'checkbox') return '';
  if (token.type === 'br') return ' ';
  if ('tokens' in token && token.tokens) return token.tokens.map(textOfInline).join('');
  if (!('text' in token)) return '';
  return token.type === 'codespan' ? token.text : decodeEntities(token.text);
}
