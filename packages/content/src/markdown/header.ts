/** The fields at the beginning of a file, not parsed yet. */
export interface Header {
  /** `lines` are plain texts, one a line. */
  readonly language: 'yaml' | 'toml' | 'lines';
  readonly source: string;
  /** Characters of the file up to the body. */
  readonly length: number;
  /** The line of the file with which the source begins. */
  readonly firstLine: number;
}

const FENCES = [
  { mark: '---', fence: /^---[ \t]*(?:(\w+)[ \t]*)?\r?\n(?:([\s\S]*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/ },
  { mark: '+++', fence: /^\+\+\+[ \t]*(?:(\w+)[ \t]*)?\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/ },
  { mark: ';;;', fence: /^;;;[ \t]*(?:(\w+)[ \t]*)?\r?\n(?:([\s\S]*?)\r?\n)??;;;[ \t]*(?:\r?\n|$)/ },
] as const;

const CODE = 'keeps its fields in JavaScript, which is not run; write them as YAML between two lines "---"';

/**
 * Finds the header of a file: YAML, TOML or JSON between fences, a JSON object, or lines such as `Title: …` up to an
 * empty line or a line `---`. Returns `undefined` for a file without a header, and the reason why one is refused.
 */
export function headerOf(text: string): Header | string | undefined {
  for (const { mark, fence } of FENCES) {
    if (!text.startsWith(mark)) continue;
    const match = fence.exec(text);
    if (!match) return isRule(text, mark) ? undefined : `the front matter has no end; close it with a line "${mark}"`;
    const [whole, word = '', source = ''] = match;
    const language = word.toLowerCase() || (mark === '+++' ? 'toml' : 'yaml');
    if (!/^(?:ya?ml|toml|json)$/.test(language)) return CODE;
    // The members of an object, which JSON writes between braces.
    const isBare = mark === ';;;' && !source.trimStart().startsWith('{');
    const length = whole.length;
    if (language === 'toml') return { language, source, length, firstLine: 2 };
    return { language: 'yaml', source: isBare ? `{${source}}` : source, length, firstLine: 2 };
  }
  if (EXPORTED.test(text.slice(0, 4096))) return CODE;
  return jsonHeader(text) ?? lineHeader(text);
}

/** A text may begin with a horizontal rule. */
const isRule = (text: string, mark: string): boolean => mark === '---' && /^---[ \t]*\r?\n[ \t]*\r?\n/.test(text);

/** MDX may export the fields of a post after its imports. */
const EXPORTED =
  /^(?:[ \t]*\r?\n|import [^\n]*\n)*export (?:const|let|var) (?:meta|metadata|frontmatter|frontMatter)\b/;

/** A JSON object whose last brace has its own line, as Hugo accepts it. */
function jsonHeader(text: string): Header | undefined {
  const match = /^\{[ \t]*\r?\n[\s\S]*?\r?\n\}[ \t]*(?:\r?\n|$)/.exec(text);
  return match ? { language: 'yaml', source: match[0].trimEnd(), length: match[0].length, firstLine: 1 } : undefined;
}

const NAMED = /^[\p{L}][\p{L}\p{N} _-]{0,40}:(?:\s|$)/u;
const CONTINUED = /^(?:\s+\S|- )/;
/** Without one of these, the first paragraph is text. */
const ESSENTIAL = /^(?:title|date):/im;

function lineHeader(text: string): Header | undefined {
  if (!NAMED.test(text.slice(0, 64))) return undefined;
  const lines: string[] = [];
  let length = 0;
  let isClosed = false;
  for (const line of linesOf(text)) {
    const content = line.trimEnd();
    length += line.length;
    isClosed = content === '---';
    if (content === '' || isClosed) break;
    if (!NAMED.test(content) && !CONTINUED.test(content)) return undefined;
    lines.push(content);
  }
  const source = lines.join('\n');
  return ESSENTIAL.test(source) ? { language: isClosed ? 'yaml' : 'lines', source, length, firstLine: 1 } : undefined;
}

/** The lines of a text with their ends. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(start, next);
    start = next;
  }
}
